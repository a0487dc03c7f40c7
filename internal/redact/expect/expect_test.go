package expect

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"ken/internal/redact/packed"
)

// indexOf is the index of the anchors of rules.
func indexOf(rules []Rule) packed.Anchors {
	var all []packed.Anchor
	for id, rule := range rules {
		for _, a := range rule.Anchors() {
			all = append(all, packed.Anchor{Text: a, ID: id})
		}
	}
	return packed.MakeAnchors(all)
}

// TestPacked: the packed tables are what words.txt says.
func TestPacked(t *testing.T) {
	t.Parallel()
	kinds := map[string]uint64{}
	for line := range strings.Lines(table) {
		if cells := strings.SplitN(strings.TrimRight(line, "\r\n"), " ", 3); cells[0][0] != '#' {
			of := slices.Index(kindNames(), cells[0])
			if of < 0 {
				t.Fatalf("no kind %q", cells[0])
			}
			kinds[cells[2]] |= 1 << of
		}
	}
	var inner []packed.Anchor
	for id, of := range parts() {
		for _, w := range listOf(of) {
			if of != aNoun || len(w) > 5 {
				inner = append(inner, packed.Anchor{Text: w, ID: id})
			}
		}
	}
	for file, tables := range map[string][2]string{
		"words.bin": {packedWords, string(packed.MakeWords(kinds))},
		"parts.bin": {packedParts, string(packed.MakeAnchors(inner))},
	} {
		if tables[0] == tables[1] {
			continue
		}
		if os.Getenv("KEN_UPDATE") == "" {
			t.Errorf("%s is not what words.txt says: KEN_UPDATE=1 go test -run Packed ./internal/redact/... writes it", file)
		} else if err := os.WriteFile(file, []byte(tables[1]), 0o666); err != nil {
			t.Error(err)
		}
	}
}

// read returns the texts that the rules find in text, asked at each anchor as a scan does.
func read(rules []Rule, index packed.Anchors, text string) []string {
	r := NewReader(text)
	index.Each(text, func(id, at, end int) { rules[id].Read(r, at, end) })
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
	index := indexOf(rules)
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 2000 {
			return
		}
		read(rules, index, s)
	})
}

// TestReadAnything: pieces of marked texts in any order, cut anywhere, are read to an end.
func TestReadAnything(t *testing.T) {
	t.Parallel()
	k := rand.New(rand.NewPCG(1, 1))
	rules := Rules()
	index := indexOf(rules)
	pieces := strings.Split("password|?|: |\n|- |> |<|</th>|<td>|kind: Secret|stringData:|\"kty\"|\"d\"|:\"|\"|auth login"+
		"|UGFzc3dvcmQ6|chpasswd|login:|[|,|]|secret: |>-|  "+
		"|x7QpV2mdKe9|://|/reset/|密码|は|٧٤٤٧٦٢|"+
		"your code|424344|is |key |radius |client(|fernet(|b'|R\"(|# |passphrase|env|||\xff|\xe3\x83|PASS|é", "|")
	for range 3000 {
		var b strings.Builder
		for range 1 + k.IntN(12) {
			b.WriteString(pieces[k.IntN(len(pieces))])
		}
		for _, v := range read(rules, index, b.String()) {
			if v == "" {
				t.Errorf("an empty value in %q", b.String())
			}
		}
	}
}
