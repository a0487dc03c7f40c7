package recall

import (
	"crypto/sha256"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"ken/internal/index"
)

// stem is that of a word; "" if it carries no meaning, or is no single word.
func stem(t *testing.T, word string) string {
	t.Helper()
	list := index.Terms(word)
	if len(list) != 2 || list[1].Form != index.Stem {
		t.Fatalf("%q is not one word: %v", word, list)
	}
	return list[1].Text
}

// TestLexiconUnchanged: the list is byte for byte what "make lexicon" made of the sources that
// docs/decisions/0061 names, and no hand changed it. Who makes it anew puts its sum here and there.
func TestLexiconUnchanged(t *testing.T) {
	t.Parallel()
	const made = "9d818461cebbe738830b296a14dc45147405a4726422e843418b036a5e727825"
	if got := fmt.Sprintf("%x", sha256.Sum256([]byte(entries))); got != made {
		t.Errorf("SHA-256 %s, want %s", got, made)
	}
}

// TestLexiconMade: what is looked up is sorted, as the program that makes it writes it
// (bench/lexicon), stays small, and has its licences beside it.
func TestLexiconMade(t *testing.T) {
	t.Parallel()
	var before string
	for line := range strings.Lines(entries) {
		if head, _, _ := strings.Cut(line, " "); head <= before {
			t.Errorf("%q stands behind %q", head, before)
		} else {
			before = head
		}
	}
	if n := len(entries); n < 100_000 || n > 210_000 {
		t.Errorf("the list has %d bytes", n)
	}
	for file, says := range map[string]string{"WORDNET.txt": "WordNet 3.0 Copyright", "NICKNAMES.txt": "Apache License"} {
		text, err := os.ReadFile("lexicon/" + file)
		if err != nil || !strings.Contains(string(text), says) {
			t.Errorf("%s does not say %q (%v)", file, says, err)
		}
	}
}

// TestLexiconEntries: every line is found, and nothing else.
func TestLexiconEntries(t *testing.T) {
	t.Parallel()
	for line := range strings.Lines(entries) {
		f := strings.Fields(line)
		e := entryOf(f[0])
		if got := fmt.Sprintf("%.0f %s", e.says*10, e.related()); got != fmt.Sprintf("%s %s", f[1], f[2:]) {
			t.Fatalf("%q: %s", line, got)
		}
		if e.says <= 0 || e.says > 1 || len(e.related()) > mostRelated {
			t.Errorf("%q: %v", line, e)
		}
		for _, no := range []string{f[0] + "!", f[0] + "~", f[0][:len(f[0])-1] + "~", strings.ToUpper(f[0])} {
			if e := entryOf(no); e.says != 1 || e.related() != nil && len(e.related()) > 0 {
				t.Errorf("%q: %v", no, e)
			}
		}
	}
	for _, no := range []string{"", " ", "\n", "~", "3", "job 10", "茶"} {
		if e := entryOf(no); e.says != 1 || len(e.related()) > 0 {
			t.Errorf("%q: %v", no, e)
		}
	}
}

// TestLexiconWords: what the tables are for.
func TestLexiconWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ from, to string }{
		{"job", "career"},
		{"children", "kids"},
		{"purchase", "bought"},
		{"beverages", "tea"},
		{"vehicles", "bicycle"},
		{"mike", "michael"},
		{"michael", "mike"},
	} {
		if e := entryOf(stem(t, c.from)); !slices.Contains(e.related(), stem(t, c.to)) {
			t.Errorf("%s does not call up %s: %v", c.from, c.to, e.related())
		}
	}
	if entryOf("dog").says != 1 || entryOf("know").says >= 0.5 || entryOf("thing").says >= 1 {
		t.Errorf("dog %v, know %v, thing %v", entryOf("dog"), entryOf("know"), entryOf("thing"))
	}
}

func BenchmarkLexicon(b *testing.B) {
	for b.Loop() {
		entryOf("job").related()
	}
}
