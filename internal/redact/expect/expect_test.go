package expect

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// read returns the texts that the rules find in text, asked at each anchor as a scan does.
func read(rules []Rule, text string) []string {
	r := NewReader(text)
	lower := lowerASCII(text)
	heads := map[string]bool{}
	for _, rule := range rules {
		for _, a := range rule.Anchors {
			heads[a[:3]] = true
		}
	}
	for i := range len(text) {
		if !heads[lower[i:min(len(lower), i+3)]] {
			continue
		}
		for _, rule := range rules {
			for _, a := range rule.Anchors {
				if strings.HasPrefix(lower[i:], a) {
					rule.Read(r, i, i+len(a))
				}
			}
		}
	}
	var out []string
	for _, v := range r.Found {
		out = append(out, text[v.Start:v.End])
	}
	return out
}

// TestGrade: what nobody writes as a word is made, words with a number are worded, and
// names of things are ordinary.
func TestGrade(t *testing.T) {
	t.Parallel()
	for want, list := range map[grade][]string{
		made:   {"x7Qp" + "V2mdKe9", "Rive" + "r!2048", "qp#44" + "XYz+abc"},
		worded: {"copper" + "Kettle42", "Marble" + "-2041", "lobade" + "mi77", "stone-cart" + "-paper-lamp"},
		ordinary: {
			"password1", "SHA-256", "TLSv1.3", "web01.x.test", "srv-db01", "JIRA-1234", "KB5034441", "internal/redact/x1",
			"a=b&c=d1", "user@host", "$DB_PASSWORD", "2026-05-13", "Windows11", "fixture", "state-of-the-art",
		},
	} {
		for _, v := range list {
			if g := gradeOf(v); g != want {
				t.Errorf("gradeOf(%q) = %d, want %d", v, g, want)
			}
		}
	}
}

// TestWords: each line of the table is a kind, a language and a word, and each kind has some.
func TestWords(t *testing.T) {
	t.Parallel()
	kinds := map[string]int{}
	for line := range strings.Lines(table) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.SplitN(strings.TrimSpace(line), " ", 3)
		if len(cells) < 3 || !utf8.ValidString(line) || cells[2] != strings.ToLower(strings.TrimSpace(cells[2])) {
			t.Errorf("%q", line)
			continue
		}
		kinds[cells[0]]++
	}
	if len(kinds) >= 64 {
		t.Errorf("%d kinds: a lexicon has a bit for each of 63", len(kinds))
	}
	for _, kind := range []string{
		"noun", "word", "link", "door", "code", "address", "call", "single", "where", "number", "name",
		"below", "phrase", "weak", "ask",
	} {
		if kinds[kind] == 0 {
			t.Errorf("no word of kind %s", kind)
		}
	}
}

// FuzzRead: whatever the text, every value found is a piece of it, and reading ends.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"password?\n> x", "kind: Secret\ndata:\n a: b", "\"kty\": {\"d\":\"", "auth login 334 UGFzc3dvcmQ6",
		"<password><![CDATA[", "<th>password</th><tr><td>", "chpasswd: a:b", "https://h/reset/", "login:\n - a\n - b", "رمز ٧٤٤٧٦٢",
		"密码,x\na,", "secret: |\n  x",
	} {
		f.Add(s)
	}
	rules := Rules()
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 2000 {
			return
		}
		read(rules, s)
	})
}

// TestReadAnything: pieces of marked texts in any order, cut anywhere, are read to an end.
func TestReadAnything(t *testing.T) {
	t.Parallel()
	k := rand.New(rand.NewPCG(1, 1))
	rules := Rules()
	pieces := strings.Split("password|?|: |\n|- |> |<|</th>|<td>|kind: Secret|stringData:|\"kty\"|\"d\"|:\"|\"|auth login"+
		"|UGFzc3dvcmQ6|chpasswd|login:|[|,|]|secret: |>-|  "+
		"|x7QpV2mdKe9|://|/reset/|密码|は|٧٤٤٧٦٢|"+
		"your code|424344|is |key |radius |client(|fernet(|b'|R\"(|# |passphrase|env|||\xff|\xe3\x83|PASS|é", "|")
	for range 3000 {
		var b strings.Builder
		for range 1 + k.IntN(12) {
			b.WriteString(pieces[k.IntN(len(pieces))])
		}
		for _, v := range read(rules, b.String()) {
			if v == "" {
				t.Errorf("an empty value in %q", b.String())
			}
		}
	}
}
