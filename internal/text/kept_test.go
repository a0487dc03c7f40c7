package text_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"ken/internal/text"
)

// TestKeptLaw: the forms of which files hold hashes are stable, and neither blanks
// nor the form of Unicode count in them.
func TestKeptLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, keptLaw)
}

func FuzzKept(f *testing.F) {
	for _, s := range []string{"", "a  b", "cafe\u0301", "ſ\u1e9b\u0323", "İi̇ıI", "\u0345\u0399", "ǅ", "\xff\xfe"} {
		f.Add([]byte(s))
	}
	f.Fuzz(rapid.MakeFuzz(keptLaw))
}

func keptLaw(t *rapid.T) {
	s := rapid.String().Draw(t, "text")
	c, n := text.Composed(s), text.NormalForHash(s)
	if text.Composed(c) != c {
		t.Fatalf("%q is composed to %q and that to %q", s, c, text.Composed(c))
	}
	if text.Composed(" "+strings.ReplaceAll(s, " ", " \t\n ")+"\n") != c {
		t.Fatalf("%q with more space is another text", s)
	}
	if plain := strings.Join(strings.Fields(cases.Fold().String(norm.NFKC.String(s))), " "); plain != n {
		t.Fatalf("%q folds to %q, and without the shorter way to %q", s, n, plain)
	}
	if text.NormalForHash(c) != n {
		t.Fatalf("%q folds to %q, and composed first to %q", s, n, text.NormalForHash(c))
	}
}

// TestKept: the forms are what files hold that were written long ago.
func TestKept(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"Drinks  TEA\n": "drinks tea", "cafe\u0301 ＴＥＡ": "café tea", "so\u00adft": "so\u00adft", "Straße": "strasse", "\ufb03": "ffi",
	} {
		if got := text.NormalForHash(s); got != want {
			t.Errorf("NormalForHash(%q) = %q, not %q", s, got, want)
		}
	}
	for s, want := range map[string][]string{
		"don't use c++ €5": {"c++", "don", "t", "use", "€5"},
		"日本語 한국어":          {"日本", "本語", "語", "한국어"},
		"tea tea":          {"tea"},
	} {
		if diff := cmp.Diff(want, text.WordsForSketch(s)); diff != "" {
			t.Errorf("WordsForSketch(%q): %s", s, diff)
		}
	}
}

// TestScripts: what is written without blanks, and what is so dense that its words
// cannot be known by them.
func TestScripts(t *testing.T) {
	t.Parallel()
	for r, want := range map[rune][2]bool{
		'a': {}, 'é': {}, 'я': {}, 'ع': {}, '5': {}, '😀': {}, '。': {},
		'日': {true, true}, 'ひ': {true, true}, 'カ': {true, true}, 'ー': {false, true},
		'한': {false, true}, 'ก': {true, true}, 'ລ': {true, true}, 'ក': {true, true}, 'မ': {true, true}, '𠀀': {true, true},
	} {
		if got := [2]bool{text.Unspaced(r), text.Dense(r)}; got != want {
			t.Errorf("%q: unspaced and dense are %v, not %v", r, got, want)
		}
	}
}
