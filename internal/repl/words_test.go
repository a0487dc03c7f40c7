package repl

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzSplitWords: words that are quoted come back as they were.
func FuzzSplitWords(f *testing.F) {
	for _, seed := range []string{"", "a b", "it's", `"a b" c`, `a\ b`, "\t x", "\xff '\x00'"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		words, err := SplitWords(s)
		if err != nil && !errors.Is(err, ErrQuote) || err != nil && words != nil {
			t.Fatalf("%q: %q, %v", s, words, err)
		}
		var b strings.Builder
		for _, w := range words {
			b.WriteString(" '" + strings.ReplaceAll(w, "'", `'\''`) + "'")
		}
		again, err := SplitWords(b.String())
		if diff := cmp.Diff(words, again); err != nil || diff != "" {
			t.Errorf("%q, quoted as %q: %v, words (-want +got):\n%s", s, b.String(), err, diff)
		}
	})
}
