package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ken/internal/redact/packed"
)

// S48, S1: each made-up secret vanishes whole, and its kind is told.
//
//ken:unraced
func TestPositives(t *testing.T) {
	t.Parallel()
	m := New([]byte("key"))
	for seed := range uint64(12) {
		for _, p := range positives(seed) {
			out, hits := m.Mask(p.String())
			if len(hits) == 0 || strings.Contains(out, p.secret) {
				t.Errorf("%s: %q -> %q", p.rule, p, out)
			}
		}
	}
}

// TestPacked: the packed anchors are those of the rules, in their order.
func TestPacked(t *testing.T) {
	t.Parallel()
	var all []packed.Anchor
	for id, r := range rules() {
		for _, a := range r.anchors() {
			all = append(all, packed.Anchor{Text: a, ID: id})
		}
	}
	switch want := string(packed.MakeAnchors(all)); {
	case packedAnchors == want:
	case os.Getenv("KEN_UPDATE") == "":
		t.Error("anchors.bin is not what the rules say: KEN_UPDATE=1 go test -run Packed ./internal/redact/... writes it")
	default:
		if err := os.WriteFile("anchors.bin", []byte(want), 0o666); err != nil {
			t.Error(err)
		}
	}
}

// Each rule of the table has texts of its own among the positives, and no rule
// is there in name only: without it, some of its texts go unmasked.
func TestEveryRuleIsTested(t *testing.T) {
	t.Parallel()
	tested := map[string]bool{}
	for _, p := range positives(1) {
		tested[p.rule] = true
	}
	for _, r := range rules() {
		if !tested[r.name] {
			t.Errorf("rule %s has no text of its own", r.name)
		}
		for _, a := range r.anchors() {
			if len(a) < 3 || strings.ContainsAny(a, uppers) {
				t.Errorf("rule %s: anchor %q is too short or not in lower case", r.name, a)
			}
		}
	}
}

// S1: what only looks like a secret stays.
func TestNegatives(t *testing.T) {
	t.Parallel()
	m := New([]byte("key"))
	for _, s := range negatives() {
		if out, hits := m.Mask(s); out != s || hits != nil {
			t.Errorf("%q -> %q", s, out)
		}
		if Contains(s) {
			t.Errorf("Contains(%q)", s)
		}
	}
}

// The exact result, for a few of each family.
func TestMaskResult(t *testing.T) {
	t.Parallel()
	k := newMaker(3)
	gh, pass, pem := "ghp_"+k.from(base62, 36), "Kiwi!48"+"21river", k.pem("RSA PRIVATE KEY", 3)
	for _, c := range []struct{ in, want string }{
		{"token " + gh + ".", "token [masked:github-token:????]."},
		{"OPENAI_API_KEY=" + gh + " make", "OPENAI_API_KEY=[masked:github-token:????] make"},
		{`{"password":"` + pass + `","user":"bob"}`, `{"password":"[masked:password:????]","user":"bob"}`},
		{"my password is " + pass + ", ok?", "my password is [masked:password:????], ok?"},
		{"https://bob:" + pass + "@x.test/a", "https://bob:[masked:url-password:????]@x.test/a"},
		{"a\n" + pem + "\nb", "a\n[masked:private-key:????]\nb"},
		{"curl -u bob:'" + pass + "' x", "curl -u bob:'[masked:password:????]' x"},
		{"x=1&password=" + pass + "&y=2", "x=1&password=[masked:password:????]&y=2"},
		{"export A_TOKEN=\"" + gh + "\" B=2", "export A_TOKEN=\"[masked:github-token:????]\" B=2"},
		{"\xff\xfe password=" + pass + " \x00\x80", "\xff\xfe password=[masked:password:????] \x00\x80"},
		{"pay " + k.card("41", 16) + " now", "pay [masked:card:????] now"},
	} {
		out, _ := New([]byte("key")).Mask(c.in)
		if got := regexp.MustCompile(`:[0-9a-f]{4}\]`).ReplaceAllString(out, ":????]"); got != c.want {
			t.Errorf("Mask(%q)\n got %q\nwant %q", c.in, got, c.want)
		}
	}
}

// A secret that is named once is masked where it stands again.
func TestMaskRepeats(t *testing.T) {
	t.Parallel()
	pass := newMaker(9).password()
	out, hits := New(nil).Mask("my password is " + pass + "\nI typed " + pass + " and \"" + pass + "x\"")
	if strings.Contains(out, pass) || len(hits) != 3 {
		t.Errorf("got %q, %d hits", out, len(hits))
	}
}

// In one text with many secrets, and in the encodings in which text travels.
func TestMaskEncoded(t *testing.T) {
	t.Parallel()
	m := New([]byte("key"))
	for _, p := range positives(5) {
		js, err := json.Marshal(map[string]string{"text": p.String()})
		if err != nil {
			t.Fatal(err)
		}
		secret := strings.Trim(string(mustJSON(t, p.secret)), `"`)
		if out, _ := m.Mask(string(js)); strings.Contains(out, secret) {
			t.Errorf("%s in JSON: %s -> %s", p.rule, js, out)
		}
		b64 := base64.StdEncoding.EncodeToString([]byte(p.String()))
		if out, _ := m.Mask("data " + b64 + " end"); len(b64) >= longToken && strings.Contains(out, b64) {
			t.Errorf("%s in base64: %q -> %s", p.rule, p, out)
		}
	}
}

// Percent-encoding and hexadecimal digits are taken off as well, but for a few
// secrets whose frame does not survive in a URL.
func TestMaskEncodedWhole(t *testing.T) {
	t.Parallel()
	m := New([]byte("key"))
	for name, encode := range map[string]func(string) string{"percent": url.PathEscape, "hex": func(s string) string { return hex.EncodeToString([]byte(s)) }} {
		all := positives(5)
		missed := 0
		for _, p := range all {
			if out, _ := m.Mask("https://x.test/?q=" + encode(p.String())); strings.Contains(out, encode(p.secret)) {
				missed++
			}
		}
		if missed*50 > len(all) {
			t.Errorf("%s: %d of %d missed, want at most 2 %%", name, missed, len(all))
		}
	}
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestPlaceholders(t *testing.T) {
	t.Parallel()
	pass, other := newMaker(1).password(), newMaker(2).password()
	a, _ := New([]byte("one")).Mask("password=" + pass)
	b, _ := New([]byte("one")).Mask("my password is " + pass)
	c, _ := New([]byte("two")).Mask("password=" + pass)
	d, _ := New([]byte("one")).Mask("password=" + other)
	if !regexp.MustCompile(`^password=\[masked:password:[0-9a-f]{4}\]$`).MatchString(a) {
		t.Errorf("placeholder: %q", a)
	}
	if tail(a) != tail(b) {
		t.Errorf("equal secrets, other placeholders: %q %q", a, b)
	}
	if tail(a) == tail(c) || tail(a) == tail(d) {
		t.Errorf("another key or secret, same placeholder: %q %q %q", a, c, d)
	}
}

func tail(s string) string { return s[strings.LastIndex(s, ":"):] }

// New keeps the key it was given: the caller may wipe its own.
func TestNewCopiesKey(t *testing.T) {
	t.Parallel()
	key := []byte("secret key")
	m := New(key)
	before, _ := m.Mask("password=" + newMaker(1).password())
	clear(key)
	after, _ := m.Mask("password=" + newMaker(1).password())
	if before != after {
		t.Errorf("%q, then %q", before, after)
	}
}

// Text that holds placeholders already is masked around them.
func TestMaskAroundPlaceholders(t *testing.T) {
	t.Parallel()
	m := New([]byte("key"))
	pass := newMaker(4).password()
	for _, s := range []string{
		"password=[masked:password:ab12]", "[masked:password:ab12]" + pass, "my password is [masked:password:ab12]", "https://a:[masked:url-password:00ff]@h/",
		"secret: [masked:secret:0000][masked:secret:1111]", "[masked:password:zz12]", "[masked::ab12]", "[masked:password:ab12",
	} {
		if out, _ := m.Mask(s); out != s {
			t.Errorf("%q -> %q", s, out)
		}
	}
	out, _ := m.Mask("password=" + pass[:8] + "[masked:token:ab12]" + pass[8:])
	if strings.Contains(out, pass[:8]) || !strings.Contains(out, "[masked:token:ab12]") {
		t.Errorf("around a placeholder: %q", out)
	}
}

// A complainer is a test of testing or of rapid.
type complainer interface {
	Errorf(format string, args ...any)
}

// checkMask holds the laws that are true of any text.
func checkMask(t complainer, m *Masker, s string) {
	out, hits := m.Mask(s)
	var b strings.Builder
	last := 0
	for _, h := range hits {
		if h.Start < last || h.End <= h.Start || h.End > len(s) {
			t.Errorf("Mask(%q): hits overlap or are out of order: %v", s, hits)
			return
		}
		b.WriteString(s[last:h.Start] + m.placeholder(h.Kind, s[h.Start:h.End]))
		last = h.End
	}
	b.WriteString(s[last:])
	if b.String() != out {
		t.Errorf("Mask(%q) = %q, want text outside the hits unchanged: %q", s, out, b.String())
	}
	if again, more := m.Mask(out); again != out || more != nil {
		t.Errorf("Mask(%q) = %q, masked again %q", s, out, again)
	}
	if Contains(s) != (len(hits) > 0) {
		t.Errorf("Contains(%q) = %v, hits %v", s, !(len(hits) > 0), hits)
	}
	if out == s && len(hits) > 0 {
		t.Errorf("Mask(%q) has hits and changes nothing", s)
	}
}

// L7: on texts put together from secrets, pieces of secrets and ordinary text.
func TestMaskLaws(t *testing.T) {
	t.Parallel()
	m := New([]byte("key"))
	var pieces []string
	for _, p := range positives(2) {
		pieces = append(pieces, p.String(), p.secret)
	}
	pieces = append(pieces, negatives()...)
	pieces = append(pieces, " ", "\n", "'", `"`, ":", "=", "[masked:", "[masked:token:ab12]", "password", "password=", "is", "\\", "\xff", "é", "-----BEGIN ", "%3D", "key ", "://")
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for _, i := range rapid.SliceOfN(rapid.IntRange(0, len(pieces)-1), 1, 8).Draw(t, "pieces") {
			s := pieces[i]
			from := rapid.IntRange(0, len(s)).Draw(t, "from")
			if rapid.Bool().Draw(t, "whole") {
				from = 0
			}
			b.WriteString(s[from:])
		}
		checkMask(t, m, b.String())
	})
}

// What is masked is the same whatever bytes that are no text stand around it.
func TestMaskKeepsBytes(t *testing.T) {
	t.Parallel()
	var all []byte
	for c := range 256 {
		all = append(all, byte(c))
	}
	m := New(nil)
	pass := newMaker(6).password()
	out, hits := m.Mask(string(all) + "\npassword=" + pass + "\n" + string(all))
	if len(hits) != 1 || !strings.HasPrefix(out, string(all)) || !strings.HasSuffix(out, string(all)) {
		t.Errorf("hits %v in %q", hits, out)
	}
}

// A text made to be slow is not: the bound is far above what 64 KiB take, and
// far below what they would take a rule that reads to the end from each anchor.
//
//ken:unraced
func TestMaskHostileSize(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{
		"password=", "password is ", "-----BEGIN RSA PRIVATE KEY-----\n", "-----BEGIN RSA PRIVATE KEY-----\nabcd", "://a:", "%3D", "curl -u ", "0000 ", "eyJ.", "eyJ.a", "seed phrase word ",
		"recovery code ", "[masked:", "aws ", "mysql ", "mysql -p", "Authorization: ", "key key ", "DE", "DE00", "echo a ", "echo \"", "2fa ", "\"password\":\"", "A", "sk-", "bearer ", "login: ",
		strings.Repeat("a", 23) + " ", "password='", "1111 1111 1111 1111 ", "\\n", "\\\"", "%20password%3D", "otpauth", "sig=", "?sig=a&", "-us1", "Private-Lines: 2\n", "pass:", "QUFB",
		"a=b+c", "+a", " -u a -p b", " u+", "msh", "AZDO", "prod:", "psk=a ", "1. word ", "login: a ", " /pass:a", "wif ", "ffffnral",
	} {
		s := strings.Repeat(unit, (1<<16)/len(unit))
		start := time.Now()
		New(nil).Mask(s)
		d := time.Since(start)
		if d > 10*time.Second {
			t.Errorf("%q x %d: %v", unit, len(s)/len(unit), d)
		}
		t.Logf("%q %v", unit, d)
	}
}

func FuzzMask(f *testing.F) {
	for _, p := range positives(1) {
		f.Add(p.String())
	}
	for _, s := range negatives() {
		f.Add(s)
	}
	m := New([]byte("key"))
	f.Fuzz(func(t *testing.T, s string) { checkMask(t, m, s) })
}

// english, code and logs are ordinary text for the benchmarks, a few KB each.
func english() string {
	return strings.Repeat("The keeper of the house passed the token test on Monday, and wrote that secrets of a good garden are patience and water. "+
		"Please check whether the author used the old password policy (it is documented at https://x.test/docs/a?b=c), then close issue 1234 of 2026.\n", 30)
}

func code() string {
	return strings.Repeat("func (k *Key) Token(ctx context.Context, user string) (string, error) {\n\tif k.secret == nil || len(k.pass) == 0 {\n\t\treturn \"\", fmt.Errorf(\"no key for %s: %w\", user, ErrNoKey)\n\t}\n"+
		"\tkeys := strings.Split(k.list, \",\")\n\tfor i := 0; i < len(keys); i++ {\n\t\tsum += keys[i].tokens * 0x7fff\n\t}\n\treturn k.token(ctx, keys[0]), nil\n}\n", 20)
}

func logs() string {
	return strings.Repeat("2026-05-13T19:01:01.123456Z INFO  server/http.go:123 request id=5cfaa619-9ec8-4fda-81ca-f97f65deba67 method=GET path=/api/v1/items?limit=50&page=2 status=200 bytes=18423 took=12.345ms\n"+
		"2026-05-13T19:01:02.223456Z WARN  auth/session.go:88 token refresh in 300s user=1700000000123 sha=b7af7b76b4241a2b3c4d5e6f708192a3b4c5d6e7\n", 20)
}

func BenchmarkMask(b *testing.B) {
	for name, s := range map[string]string{"english": english(), "code": code(), "logs": logs()} {
		b.Run(name, func(b *testing.B) {
			m := New([]byte("key"))
			m.Mask(s)
			b.ReportAllocs()
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				m.Mask(s)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/(float64(len(s))/1024), "us/KB")
		})
	}
	// What a command prints: much text, a secret now and then.
	output := strings.Repeat(code()+logs()+english(), 60) + "\npassword=" + newMaker(1).password() + "\n"
	b.Run("output", func(b *testing.B) {
		m := New([]byte("key"))
		for b.Loop() {
			m.Mask(output)
		}
		b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/(float64(len(output))/1024), "us/KB")
	})
	b.Run("rules", func(b *testing.B) {
		for b.Loop() {
			rules()
		}
	})
}

func TestOrdinaryTextIsUntouched(t *testing.T) {
	t.Parallel()
	for _, s := range []string{english(), code(), logs()} {
		if _, hits := New(nil).Mask(s); hits != nil {
			t.Errorf("hits %v, first %q", len(hits), s[hits[0].Start:hits[0].End])
		}
	}
}

// The hits tell offsets into the input.
func TestHits(t *testing.T) {
	t.Parallel()
	pass := newMaker(8).password()
	_, hits := New(nil).Mask("é password=" + pass + " and\npw: " + pass + "!")
	want := []Hit{{"password", 12, 12 + len(pass)}, {"password", 21 + len(pass), 22 + 2*len(pass)}}
	if diff := cmp.Diff(want, hits); diff != "" {
		t.Error(diff)
	}
	if !slices.IsSortedFunc(hits, func(a, b Hit) int { return a.Start - b.Start }) {
		t.Error("hits out of order")
	}
	if !bytes.Equal([]byte(pass), []byte("é password=" + pass)[12:]) {
		t.Error("offset")
	}
}

// In a long text only what is near a placeholder is looked at again; the result is
// that of looking at all of it.
//
//ken:unraced
func TestMaskLong(t *testing.T) {
	t.Parallel()
	m := New([]byte("key"))
	k := newMaker(12)
	ps := positives(12)
	for range 8 {
		var b strings.Builder
		for b.Len() < 16*reachBefore {
			b.WriteString(strings.Repeat(k.pick(english(), code(), logs(), "x\n"), 1+k.IntN(3)))
			for range k.IntN(3) {
				b.WriteString(ps[k.IntN(len(ps))].String() + k.pick("\n", " ", "\n\n"))
			}
		}
		s := b.String()
		masked, hits := m.Mask(s)
		if len(hits) == 0 {
			t.Fatal("nothing found")
		}
		if more := new(Masker).find(masked); len(more) > 0 {
			t.Errorf("still found: %v %q", more[0], masked[more[0].Start:more[0].End])
		}
		checkMask(t, m, s)
	}
}
