//go:build unix

package scales

import (
	"slices"
	"testing"

	"ken/internal/index/indextest"
)

// TestAsked: the queries have so many words of one text each, and are the same ones each time.
func TestAsked(t *testing.T) {
	t.Parallel()
	b := &bed{o: &Options{Each: 5}, n: 300, docs: indextest.Documents(300, 1)}
	for k := 1; k <= mostWords; k++ {
		list := b.asked(k)
		if len(list) != 5 || !slices.Equal(list, b.asked(k)) {
			t.Errorf("%d words: %q", k, list)
		}
	}
}
