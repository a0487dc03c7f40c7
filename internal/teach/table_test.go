package teach

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ken/internal/text"
)

// TestTables: every file of a language can be read, and has the tables that each act needs.
func TestTables(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("tables/*.txt")
	if err != nil || len(names) != len(languages()) {
		t.Errorf("%d files, %d languages: %v", len(names), len(languages()), err)
	}
	for _, read := range tongues() {
		l := read()
		for _, name := range [...]string{
			"keep", "after", "standing", "order", "forget", "correct", "state", "kinds", "question", "none", "moment", "task",
		} {
			if len(l.lists[name].frames) == 0 {
				t.Errorf("%s has nothing in [%s]", l.name, name)
			}
		}
	}
}

// TestTableErrors: a line that cannot be read is named.
func TestTableErrors(t *testing.T) {
	t.Parallel()
	for _, file := range []string{
		"[nothing]\na", "a b", "[keep]\n(a | b", "[keep]\na ..x", "[keep]\n$x", "[keep]\na )", "$a = b )\n", "[keep]\n!",
		"[keep]\na|,b @", "[keep]\na, @", "[keep]\na| , b", "[keep]\nx|..3", "[keep]\n..3|x", "[keep]\na|!b", "[keep]\na|&b",
		"[keep]\na?|b", "[keep]\n!a?", "[keep]\n&a?", "[keep]\n!!a", "[keep]\na*b @", "[keep]\na*-b", "[keep]\n**", "[keep]\na: @",
		"[keep]\n[ab]", "[keep]\na.b", "[keep]\na$b", "[keep]\na -> nokind", "[keep]\na -> scope nowhere", "[keep]\na ->", "[keep]\na = b",
		"[keep]\na+b", "[keep]\n@b", "[keep]\na|b?|c", "[keep]\na (b | c)*",
		// Read as "rule", "default" or "matter", and then "of course".
		"[keep]\n(rule|default|matter of course)", "[keep]\na (b c|d)?", "[keep]\n!(a|b c)", "[keep]\n&(a|b (c | d))",
		"[keep]\n(a | (b|c d))", "[keep]\n((a|b c) | d)", "$a = b|c d\n", "$a = b (c | d) e|f\n",
	} {
		if _, err := readTongue("xx", file); err == nil {
			t.Errorf("%q is read", file)
		}
	}
	for _, file := range []string{
		"[keep]\n(rule|default|matter-of-course)", "[keep]\n(rule|default | matter of course)", "[keep]\n((a|b) c)?", "[keep]\na|b c",
		"[keep]\n(a|b)? c", "[keep]\n(a|b c | d)", "$a = (b|c) d\n", "$a = b|c\n", "$a = b|c | d e\n", "[keep]\n!(a (b | c|d e))",
	} {
		if _, err := readTongue("xx", file); err != nil {
			t.Errorf("%q: %v", file, err)
		}
	}
}

// TestIndexOfWords: the index has the words of the tables, each with the languages that have it.
func TestIndexOfWords(t *testing.T) {
	t.Parallel()
	known := make(map[string]uint64)
	var learn func(row []node, bit uint64)
	learn = func(row []node, bit uint64) {
		for _, n := range row {
			if n.words != nil {
				for _, w := range n.words.list {
					known[w] |= bit
				}
			}
			for _, r := range n.rows {
				learn(r, bit)
			}
		}
	}
	for i, read := range tongues() {
		for _, l := range read().lists {
			for _, f := range l.frames {
				learn(f.row, 1<<i)
			}
		}
	}
	var want strings.Builder
	for _, w := range slices.Sorted(maps.Keys(known)) {
		fmt.Fprintf(&want, "%s %x\n", w, known[w])
	}
	if os.Getenv("KEN_UPDATE") != "" {
		if err := os.WriteFile("tables/words.index", []byte(want.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if index != want.String() {
		t.Error("tables/words.index is not of the tables (KEN_UPDATE=1 writes it anew)")
	}
	for w, bits := range known {
		if got := knowing(w); got != bits {
			t.Errorf("%q: %x, want %x", w, got, bits)
		}
	}
	for _, w := range []string{"", "\x00", "zzzzzz", "ÿ", "\U0010ffff", " ", "\n", "remember ", "remembe"} {
		if known[w] == 0 && knowing(w) != 0 {
			t.Errorf("%q is known", w)
		}
	}
}

// TestAsFolded: a letter that is not folded is one that folding leaves as it is, alone and
// among others.
func TestAsFolded(t *testing.T) {
	t.Parallel()
	n := 0
	for r := rune(1); r < 0x20000; r++ {
		if !asFolded(r) {
			continue
		}
		n++
		for _, s := range []string{string(r), string(r) + string(r), "а" + string(r) + "가", "か" + string(r)} {
			if got := text.FoldLetters(s); got != s {
				t.Errorf("%q is folded to %q", s, got)
			}
		}
	}
	if n < 30_000 {
		t.Error(n, "letters")
	}
}

// BenchmarkTongue: what the first line of a language costs beside the line, at most ten
// milliseconds of CPU.
func BenchmarkTongue(b *testing.B) {
	for _, name := range languages() {
		data, err := files.ReadFile("tables/" + name + ".txt")
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := readTongue(name, string(data)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
