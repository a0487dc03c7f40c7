package text_test

import (
	"slices"
	"testing"

	"ken/internal/text"
)

func TestWordsInOrder(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][2][]string{
		"Don’t use 'TABS', é!":   {{"dont", "use", "tabs", "e"}, {"don't", "use", "tabs", "e"}},
		"ﬁne v1.2 naïve":         {{"fine", "v1", "2", "naive"}, {"fine", "v1", "2", "naive"}},
		"it''s the boys' `code`": {{"its", "the", "boys", "code"}, {"it's", "the", "boys", "code"}},
		"":                       {},
		"…":                      {},
	} {
		if got := text.WordsInOrder(in); !slices.Equal(got, want[0]) {
			t.Errorf("WordsInOrder(%q) = %q, not %q", in, got, want[0])
		}
		if got := text.Spoken(in); !slices.Equal(got, want[1]) {
			t.Errorf("Spoken(%q) = %q, not %q", in, got, want[1])
		}
	}
}
