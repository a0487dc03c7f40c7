package redact

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"ken/internal/redact/chars"
)

// disguised are ways in which a secret, or its name, is written so that it reads the
// same and has other bytes.
func disguised() map[string]func(string) string {
	between := func(sep string, n int) func(string) string {
		return func(s string) string {
			var b strings.Builder
			for i, c := range s {
				if i > 0 && i%n == 0 {
					b.WriteString(sep)
				}
				b.WriteRune(c)
			}
			return b.String()
		}
	}
	each := func(to func(rune) rune) func(string) string {
		return func(s string) string { return strings.Map(to, s) }
	}
	return map[string]func(string) string{
		"zero-width":   between("\u200b", 3),
		"joiner":       between("\u200d", 2),
		"soft hyphen":  between("\u00ad", 4),
		"word joiner":  between("\u2060", 3),
		"mark":         between("\ufeff", 3),
		"direction":    between("\u202e\u202c", 3),
		"tag":          between("\U000e0041", 3),
		"colour":       between("\x1b[31m", 3),
		"colour on":    between("\x1b[1;38;5;196m", 4),
		"C1 colour":    between("\u009b31m", 3),
		"link":         between("\x1b]8;;https://x.test/a b\x1b\\", 4),
		"null":         between("\x00", 3),
		"full width":   each(func(c rune) rune { return c - '!' + 0xff01 }),
		"spaced":       between(" ", 1),
		"struck":       between("\u0336", 1),
		"bold letters": each(bold),
		"overstruck": func(s string) string {
			var b strings.Builder
			for _, c := range s {
				b.WriteRune(c)
				b.WriteByte('\b')
				b.WriteRune(c)
			}
			return b.String()
		},
	}
}

func bold(c rune) rune {
	switch {
	case c >= 'a' && c <= 'z':
		return 0x1d41a + c - 'a'
	case c >= 'A' && c <= 'Z':
		return 0x1d400 + c - 'A'
	case c >= '0' && c <= '9':
		return 0x1d7ce + c - '0'
	}
	return c
}

// TestDisguised: however the value is disguised, or the name, all bytes of the secret go,
// in one piece and in a stream.
func TestDisguised(t *testing.T) {
	t.Parallel()
	m := New([]byte("key"))
	k := newMaker(77)
	for way, disguise := range disguised() {
		for _, frame := range []string{"password: %s", "the password is %s and so on", "DB_PASSWORD=%s ./run", "export DB_PASS=%s\n", "mein Passwort lautet %s."} {
			for range 4 {
				plain := "Kettle" + k.number(4) + k.from(base62, 8)
				value := disguise(plain)
				text := strings.Replace(frame, "%s", value, 1)
				out, hits := m.Mask(text)
				if strings.Contains(out, value) || len(hits) == 0 || shows(out, plain) {
					t.Errorf("%s: %q became %q", way, text, out)
				}
				st := m.Stream()
				var got strings.Builder
				for i := 0; i < len(text); {
					_, n := utf8.DecodeRuneInString(text[i:])
					got.WriteString(st.Write(text[i : i+n]))
					i += n
				}
				if got.WriteString(st.Flush()); got.String() != out {
					t.Errorf("%s: in pieces %q, whole %q", way, got.String(), out)
				}
				if again, hits := m.Mask(out); again != out || len(hits) > 0 {
					t.Errorf("%s: masked again: %q became %q", way, out, again)
				}
			}
		}
		if way == "spaced" {
			continue // with the blank of the sentence it is one word
		}
		text := disguise("password") + "=" + "Kettle" + k.number(4)
		if out, hits := m.Mask(text); len(hits) == 0 || strings.Contains(out, "Kettle") {
			t.Errorf("%s: a name so disguised hides the value: %q", way, out)
		}
	}
	for _, text := range []string{
		"p a s s w o r d : K e t t l e 7 3 1 9", "password: K e t t l e 7 3 1 9", "p\u0430ssword=Kettle" + "7319", // a Cyrillic letter
		`{"content":"pass\u200bword=Kettle` + `7319"}`, `"pwd=Ket\u001b[31mtle` + `7319"`,
	} {
		if out, hits := m.Mask(text); len(hits) == 0 || strings.Contains(out, "7319") || strings.Contains(out, "9") && strings.Contains(out, "7 3 1") {
			t.Errorf("%q became %q", text, out)
		}
	}
}

// shows reports whether out, without what shows nothing, has the last half of secret.
func shows(out, secret string) bool {
	if v, ok := chars.NewView(out); ok {
		out = v.Text
	}
	return strings.Contains(out, secret[len(secret)/2:])
}

// TestDisguiseLeavesAlone: text of scripts, of colours and of code without a secret stays.
func TestDisguiseLeavesAlone(t *testing.T) {
	t.Parallel()
	m := New([]byte("key"))
	for _, text := range []string{
		"\x1b[31merror\x1b[0m: the password is wrong", "family \U0001f468\u200d\U0001f469\u200d\U0001f467", "a = b + c * d ; e = f / g ; h", "x y z w u v of a matrix", "пароль неверный", "ｐａｓｓｗｏｒｄ が違います",
		"\x1b]0;title of a window\x07$ ls", "a\bb\bc", "W A R N I N G", "раздел 1 2 3 4 5 6 7", "1 2 3 4 5 6 7 8 9 10", "\u200b\u200b\u200b", "commit \x1b[33m" + strings.Repeat("3f", 20) + "\x1b[m",
	} {
		if out, hits := m.Mask(text); out != text || len(hits) > 0 {
			t.Errorf("%q became %q", text, out)
		}
	}
}

// TestViewLaws: a view says of each of its bytes where it came from, in order and within
// the text.
func TestViewLaws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		checkView(t, strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
			"a", "b ", " c", "password", "=", "\x1b[31m", "\x1b", "\x1b]0;", "\x07", "\u200b", "\u00e9", "\u0301", "e\u0301", "\b", "\uff50", "\U0001d41a", "\u0430", "[masked:password:12ab]", "\xff", "\xe2\x80", "x y z w v u t", "\u00a0", "\n", "\u009b", "\x00",
		}), 0, 30).Draw(t, "pieces"), ""))
	})
}

func FuzzView(f *testing.F) {
	f.Add("p\u200bassword: h\x1b[1munter2 a b c d e f g\b\bx")
	f.Fuzz(func(t *testing.T, s string) { checkView(t, s) })
}

func checkView(t interface{ Fatalf(string, ...any) }, s string) {
	v, ok := chars.NewView(s)
	if !ok {
		return
	}
	last := 0
	for i := range len(v.Text) {
		from, stop := v.Source(i, i+1)
		if from < last || stop <= from || stop > len(s) {
			t.Fatalf("%q: byte %d of %q comes from %d:%d after %d", s, i, v.Text, from, stop, last)
		}
		last = from
	}
	if v.Open > len(s) {
		t.Fatalf("%q is open at %d", s, v.Open)
	}
}

// TestStreamTable: the head of a long table names its column in all rows of a stream.
//
//ken:unraced
func TestStreamTable(t *testing.T) {
	t.Parallel()
	m := New([]byte("key"))
	k := newMaker(5)
	for _, row := range []string{"srv%d,bob,%s,a note\n", "| srv%d | bob | %s | a note |\n", "srv%d\tbob\t%s\ta note\n"} {
		head := strings.NewReplacer("srv%d", "host", "bob", "user", "%s", "password", "a note", "note").Replace(row)
		var text strings.Builder
		text.WriteString("before\n\n" + head)
		secrets := make([]string, 400)
		for i := range secrets {
			secrets[i] = "Kettle" + k.number(4) + k.word()
			text.WriteString(strings.NewReplacer("%d", k.number(3), "%s", secrets[i]).Replace(row))
		}
		for _, size := range []int{7, 100, 4096} {
			st := m.Stream()
			var got strings.Builder
			for rest := text.String(); rest != ""; {
				n := min(size, len(rest))
				got.WriteString(st.Write(rest[:n]))
				rest = rest[n:]
			}
			got.WriteString(st.Flush())
			left := 0
			for _, s := range secrets {
				if strings.Contains(got.String(), s) {
					left++
				}
			}
			if left > 0 || strings.Count(got.String(), "\n") != len(secrets)+3 {
				t.Errorf("%q in pieces of %d: %d of %d are left", row, size, left, len(secrets))
			}
		}
	}
}

// TestTalk: what is said about well-known passwords, handshakes and code with a name in
// it is no secret.
func TestTalkOfSecrets(t *testing.T) {
	t.Parallel()
	m := New([]byte("key"))
	for _, text := range []string{
		"the xkcd comic's password is correct horse battery staple", "a famous example password is Tr0ub4dor&3, and it is weak", "the classic joke password is hunter2", "\"P@ssw0rd\" is a password such as everybody tries",
		"Sec-WebSocket-Key: " + "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Accept: " + "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", "    except OSError:\n        pass   # nothing\n    value.append2(x)\n", "from .lib import key_password, b\nfrom .lib import Other1, c\n",
		"| option | password | type |\n|---|---|---|\n| length | required | int |", "| name | token count |\n|---|---|\n| a | 4096 |", "user, password and host\nare given, e.g. on, line\n", "variable \"db_password\" {\n  type = string\n  sensitive = true\n}\n", "- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: db\n",
		"enable password encryption on all routers", "community standards of 2024", "to login use the web form v2", "login page loads in 20ms", "send \"Hello World\\n\" to the server", "code=200&status=ok", "https://x.test/webhooks/getting-started-2", "https://github.com/acme/x/settings/hooks/12345678",
		"client := NewClient(\"https://x.test/v1\")", "c = MongoClient('localhost27017')", "NewClient(\"" + strings.Repeat("3fa9", 10) + "\")", "auth=(user, password)", "auth=('user', 'password')", "password = \"\" + input", "label = \"Password: \" + \"please enter it\"",
		"type your password at the prompt, then run make test2", "use Argon2id to hash the password", "enter the code from app2fa, not the password", "set it to utf8mb4 before you change the password", "use AES256-GCM when you encrypt the password", "WW 3250 - 3800K",
	} {
		if out, hits := m.Mask(text); len(hits) > 0 {
			t.Errorf("%q became %q", text, out)
		}
	}
}
