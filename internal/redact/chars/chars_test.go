package chars

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// verdict is a judgement that a table has texts for and against.
func verdict(t *testing.T, name string, judge func(string) bool, yes, no []string) {
	t.Helper()
	for _, v := range yes {
		if !judge(v) {
			t.Errorf("%s(%q) = false", name, v)
		}
	}
	for _, v := range no {
		if judge(v) {
			t.Errorf("%s(%q) = true", name, v)
		}
	}
}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	verdict(t, "IsReference", IsReference,
		[]string{
			"", "$PASS", "${PASS}", "$(cat x)", "$1", "$_x", "$self->{x}", "$a[0]", "${{ secrets.X }}", "{{ x }}", "<your-key>", "%PASS%", "%(pass)s", "[x]", "/run/secrets/db", "./x", "~/x", "../x",
			"@/x", "@$x", "os.environ['X']", "process.env.X", "vault:x", "arn:aws:x", "self.x", "x${Y}z", "op://a/b", "bob:$PASS", "getToken()", "user.password", "f(x)", "a[0]", "***", "changeme", "&lt;key>",
		},
		[]string{"$ecret!1", "$2b$10$abc", "Kiwi!48river", "/+a9Kq=", "hunter2", "a.b1.c", "%41x", "&x1"})
	verdict(t, "IsPlaceholder", IsPlaceholder,
		[]string{"xxxxxxxx", "********", "your-key", "AKIAEXAMPLE1", "CHANGEME", "put-token-here", "MY_SECRET_KEY", "••••", "aaaa", "sk-...."},
		[]string{"Kiwi!48river", "aab1", "MY_2SECRET9_KEY0"})
	verdict(t, "IsRandom", IsRandom,
		[]string{"aB3dE5gH7j", "0123456789abcdef0123", "abcDEFghij"},
		[]string{"aaaa1111aaaa1111", "abcdefghij", "your-key-1a2b3c4d", "ABCDEFGHIJ"})
	verdict(t, "IsWordy", IsWordy,
		[]string{"my-secret-name", "v2", "release-2024", "a.b.c", "CamelCase", "x_1_y", ""},
		[]string{"a1b2", "Kiwi48", "20240513", "XkfYJQPxAXtbyMzk"})
	verdict(t, "IsCode", IsCode,
		[]string{"0x1F", "-0x3f879678", "[]byte", "f(x", "a.b(c)", "a->b", "A::b", "testKey1024", "advapi32.RegCloseKey", "*tls13.MasterSecret", "C.NL80211_AUTH", "MAX_SIZE", "x{1"},
		[]string{"", "Kiwi!48river", "MfS18GNuwhabbyiMG1ib8Rze", "CVoYOyepvBGL1JGQrWTziiWoJxzntgsc", "9abc", "a-b"})
	verdict(t, "IsUUID", IsUUID,
		[]string{"5cfaa619-9ec8-4fda-81ca-f97f65deba67", "9CD4AD7C-606E-48E8-B3B7-2F955C43FBD9"},
		[]string{"", "5cfaa619-9ec8-4fda-81ca-f97f65deba6", "5cfaa619-9ec8-4fda-81ca-f97f65deba6g", "5cfaa619_9ec8-4fda-81ca-f97f65deba67"})
	verdict(t, "IsSettled", IsSettled, []string{"null", "None", "SHA256", "required"}, []string{"", "hunter2", "nulls"})
	verdict(t, "IsFunctionWord", IsFunctionWord, []string{"the", "und", "which"}, []string{"", "The", "horse"})
	verdict(t, "IsHexText", IsHexText, []string{"", "09afAF"}, []string{"g", "0x1"})
	verdict(t, "IsWord", IsWord, []string{"", "a_1"}, []string{"a-1", "é"})
	verdict(t, "Luhn", Luhn, []string{"79927398713", "4242424242424242", "0"}, []string{"79927398710", "4242424242424241"})
	verdict(t, "Mod97", Mod97, []string{"DE89370400440532013000", "GB82WEST12345698765432"}, []string{"DE88370400440532013000", "GB82WEST12345698765423"})
	verdict(t, "CardLength", CardLength,
		[]string{"4242424242424242", "378282246310005", "5555555555554444", "2221000000000000", "6011000000000000", "36000000000000"},
		[]string{"424242424242424", "1234567890123456", "37828224631000", "2121000000000000", "9999999999999999"})
}

// TestIsNone: what stands in the place of a password is one, unless it is provably none.
func TestIsNone(t *testing.T) {
	t.Parallel()
	verdict(t, "IsNone", func(v string) bool { return Thing(v).IsNone() },
		[]string{
			"", "abc", "$DB_PASS", "${X}", "required", "must-match", "too-short", "current-password", "user-field", "change-me",
			"end-to-end", "Enter your password", "12345678", "a@b.test",
			"SHA-256", "12-character", "getPassword()", "string8", "Wachtwoord", "***********", "https://x.test/a",
		},
		[]string{"kettle-Marble", "sugo al pomodoro", "attic.Trunk7", "walnut_Rabbit", "Marzipan", "the heron waits at dusk", "rødgrød"})
	verdict(t, "IsGiven", func(v string) bool { return Thing(v).IsGiven() },
		[]string{"kettle-Marble", "walnutRabbiT", "rødgrød", "kettle7"},
		[]string{"kettle", "Kettle", "-kettle-x", "must-match", "f(x)-yz"})
	verdict(t, "IsAdjective", func(v string) bool { return Thing(v).IsAdjective() },
		[]string{"case-sensitive", "user-supplied", "made-for-testing"},
		[]string{"kettle-Marble", "attic-cold-morning"})
}

func TestIBANLength(t *testing.T) {
	t.Parallel()
	for country, want := range map[string]int{"DE": 22, "NO": 15, "MT": 31, "AD": 24, "YE": 30, "XX": 0, "D2": 0, "": 0, "24": 0} {
		if country == "" {
			continue
		}
		if got := IBANLength(country); got != want {
			t.Errorf("IBANLength(%q) = %d, want %d", country, got, want)
		}
	}
}

func TestShapeOf(t *testing.T) {
	t.Parallel()
	sh := ShapeOf("aaB1!é\x80")
	if diff := cmp.Diff(Shape{Lower: 2, Upper: 1, Digit: 1, Symbol: 1, Other: 3, Distinct: 7}, sh); diff != "" {
		t.Error(diff)
	}
	if sh.Letters() != 6 || sh.Classes() != 4 {
		t.Errorf("%d letters, %d classes", sh.Letters(), sh.Classes())
	}
	var all strings.Builder
	for c := range 256 {
		all.WriteByte(byte(c))
	}
	if got := ShapeOf(all.String() + all.String()).Distinct; got != 256 {
		t.Errorf("%d distinct bytes of 256", got)
	}
}

func TestRunsOf(t *testing.T) {
	t.Parallel()
	s := "ab12 \ncd"
	for _, c := range []struct{ got, want int }{
		{RunOf(s, 0, IsLower), 2},
		{RunOf(s, 2, IsLower), 2},
		{RunOf(s, 6, IsLower), 8},
		{RunBack(s, 4, IsDigit), 2},
		{RunBack(s, 2, IsAlnum), 0},
		{LineEnd(s, 0, math.MaxInt32), 5},
		{LineEnd(s, 0, 3), 3},
		{LineEnd(s, 6, 99), 8},
		{NameEnd("a-b_c.d", 0), 5},
		{NameEnd("contraseña: x", 2), len("contraseña")},
	} {
		if c.got != c.want {
			t.Errorf("got %d, want %d", c.got, c.want)
		}
	}
	if got := LastWord("my API  "); got != "api" {
		t.Errorf("LastWord = %q", got)
	}
}

func TestStartsWord(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		s    string
		i    int
		want bool
	}{
		{"ghp", 0, true},
		{"x ghp", 2, true},
		{"xghp", 1, false},
		{"_ghp", 1, false},
		{"-ghp", 1, true},
		{`\nghp`, 2, true},
		{`\xghp`, 2, false},
		{"%3Dghp", 3, true},
		{"%zDghp", 3, false},
	} {
		if got := StartsWord(c.s, c.i); got != c.want {
			t.Errorf("StartsWord(%q, %d) = %v", c.s, c.i, got)
		}
	}
}

func TestDecode(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"aGk=": "hi", "aGk": "hi", "_-8": "\xff\xef", "/+8=": "\xff\xef", "": ""} {
		if got, ok := Decode64(in); !ok || string(got) != want {
			t.Errorf("Decode64(%q) = %q, %v", in, got, ok)
		}
	}
	for _, in := range []string{"a", "aGk*", "_+8", "aaaaa"} {
		if got, ok := Decode64(in); ok {
			t.Errorf("Decode64(%q) = %q", in, got)
		}
	}
	verdict(t, "IsText", func(s string) bool { return IsText([]byte(s)) }, []string{"", "a\té\n"}, []string{"a\x00", "\xff", "é\xc3", "\x7f"})
	verdict(t, "IsTextHead", func(s string) bool { return IsTextHead([]byte(s)) }, []string{"a", "é\xc3", "日\xe6\x9c"}, []string{"\x00aaaa", "\xffaaaa"})
}

// Each offset of the decoded text leads to where it stands in the encoded one.
func TestUnescape(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		decode func(string) (string, []int)
		in     string
		want   string
		from   []int
	}{
		{Unescape, "a%20b%", "a b%", []int{0, 1, 4, 5, 6}},
		{Unescape, "%3d%zz%4", "=%zz%4", []int{0, 3, 4, 5, 6, 7, 8}},
		{Unquote, `a\nb\"\\`, "a\nb\"\\", []int{0, 1, 3, 4, 6, 8}},
		{Unquote, `\u003c\u20ac\`, "<€\\", []int{0, 6, 6, 6, 12, 13}},
		{Unquote, `\r\t\/`, "\r\t/", []int{0, 2, 4, 6}},
	} {
		got, from := c.decode(c.in)
		if got != c.want {
			t.Errorf("%q -> %q, want %q", c.in, got, c.want)
		}
		if diff := cmp.Diff(c.from, from); diff != "" {
			t.Errorf("%q: %s", c.in, diff)
		}
	}
}

func FuzzUnescape(f *testing.F) {
	f.Add(`a%20\n\u003c%`)
	f.Add(`\u0A00\u00e9`)
	f.Fuzz(func(t *testing.T, s string) {
		for _, decode := range []func(string) (string, []int){Unescape, Unquote} {
			got, from := decode(s)
			if len(from) != len(got)+1 || from[len(got)] != len(s) {
				t.Fatalf("%q -> %q, offsets %v", s, got, from)
			}
			for i := 1; i < len(from); i++ {
				// All bytes of a character come from the beginning of its escape.
				inside := i < len(got) && !utf8.RuneStart(got[i])
				if from[i] < from[i-1] || from[i] == from[i-1] && !inside {
					t.Fatalf("%q: offsets %v do not rise", s, from)
				}
			}
		}
	})
}

func TestFold(t *testing.T) {
	t.Parallel()
	if !EqualFold("PassWord_1", "password_1") || EqualFold("pass", "password") || EqualFold("P@ss", "p`ss") {
		t.Error("EqualFold")
	}
	if !HasPrefixFold("Value: x", "value") || HasPrefixFold("val", "value") {
		t.Error("HasPrefixFold")
	}
}
