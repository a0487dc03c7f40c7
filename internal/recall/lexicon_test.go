package recall

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/index"
)

var update = flag.Bool("update", false, "write lexicon/stems.txt anew")

// stem is that of a word; "" if it carries no meaning, or is no single word.
func stem(t *testing.T, word string) string {
	t.Helper()
	list := index.Terms(word)
	if len(list) != 2 || list[1].Form != index.Stem {
		t.Fatalf("%q is not one word: %v", word, list)
	}
	return list[1].Text
}

// lines are the words of a file, line by line.
func lines(t *testing.T, file string) (list [][]string) {
	t.Helper()
	text, err := os.ReadFile("lexicon/" + file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		list = append(list, strings.Fields(line))
	}
	return list
}

// little is how many tenths a word may say that is not worth being called up.
const little = 3

// made is stems.txt as the files with words have it.
func made(t *testing.T) string {
	t.Helper()
	says := map[string]int{}
	for _, line := range lines(t, "common.txt") {
		var tenths int
		if _, err := fmt.Sscan(line[0], &tenths); err != nil {
			t.Fatal(err)
		}
		for _, word := range line[1:] {
			if s := stem(t, word); says[s] == 0 {
				says[s] = tenths
			}
		}
	}
	related := map[string][]string{}
	link := func(from, to string) {
		if n := says[to]; from != to && (n == 0 || n > little) && !slices.Contains(related[from], to) {
			related[from] = append(related[from], to)
		}
	}
	for _, line := range lines(t, "words.txt") {
		for _, word := range line[1:] {
			link(stem(t, line[0]), stem(t, word))
		}
	}
	for _, line := range lines(t, "names.txt") {
		for _, word := range line[1:] {
			link(stem(t, line[0]), stem(t, word))
			link(stem(t, word), stem(t, line[0]))
		}
	}
	heads := maps.Clone(says)
	for head := range related {
		if heads[head] == 0 {
			heads[head] = 10
		}
	}
	var b strings.Builder
	for _, head := range slices.Sorted(maps.Keys(heads)) {
		list := related[head]
		fmt.Fprintln(&b, strings.Join(append([]string{head, fmt.Sprint(heads[head])}, list[:min(len(list), mostRelated)]...), " "))
	}
	return b.String()
}

// TestLexiconMade: what is looked up is what the words say.
func TestLexiconMade(t *testing.T) {
	t.Parallel()
	want := made(t)
	if *update {
		if err := os.WriteFile("lexicon/stems.txt", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, entries); diff != "" {
		t.Errorf("run go test ./internal/recall -run TestLexiconMade -update\n%s", diff)
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
		for _, no := range []string{f[0] + "x", f[0][:len(f[0])-1] + "~", strings.ToUpper(f[0])} {
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
		{"job", "career"}, {"children", "kids"}, {"purchase", "bought"}, {"pets", "dog"}, {"dad", "father"}, {"mike", "michael"}, {"michael", "mike"},
	} {
		if e := entryOf(stem(t, c.from)); !slices.Contains(e.related(), stem(t, c.to)) {
			t.Errorf("%s does not call up %s: %v", c.from, c.to, e.related())
		}
	}
	if entryOf("dog").says != 1 || entryOf("thing").says >= 0.5 {
		t.Errorf("dog %v, thing %v", entryOf("dog"), entryOf("thing"))
	}
}

func BenchmarkLexicon(b *testing.B) {
	for b.Loop() {
		entryOf("job").related()
	}
}
