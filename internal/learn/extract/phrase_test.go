package extract

import (
	"testing"

	"ken/internal/text"
)

func TestPhrases(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		phrase, text string
		end          int
	}{
		{"a b", "x a b c", 3},
		{"a|c b", "c b", 2},
		{"^ a", "x a", 0},
		{"^ a", "a x", 1},
		{"mem* now", "memorise now", 2},
		{"a .. b", "a b", 2},
		{"a .. b", "a 1 2 3 4 5 6 b", 8},
		{"a .. b", "a 1 2 3 4 5 6 7 b", 0},
		{"a b", "a", 0},
		{"a", "", 0},
	} {
		p := readPhrases(c.phrase)[0]
		if got := p.end(text.WordsInOrder(c.text)); got != c.end {
			t.Errorf("%q in %q: %d, want %d", c.phrase, c.text, got, c.end)
		}
		if anyPhrase([]phrase{p}, text.WordsInOrder(c.text)) != (c.end > 0) {
			t.Errorf("%q in %q: anyPhrase", c.phrase, c.text)
		}
	}
	if p := readPhrases("a .. b", "a b"); !p[0].gaps() || p[1].gaps() {
		t.Error("Gaps")
	}
}
