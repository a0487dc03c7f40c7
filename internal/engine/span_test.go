package engine

import (
	"slices"
	"testing"

	"ken/internal/memory"
)

// TestSpan: what names the lines of one append is read as all of them.
func TestSpan(t *testing.T) {
	t.Parallel()
	for last, want := range map[int64]string{6: "", 7: "7", 8: "7-8", 9: "7-9"} {
		var ids []memory.ID
		for n := int64(7); n <= last; n++ {
			ids = append(ids, memory.Num(n))
		}
		got := Receipt{IDs: ids}.Span()
		if got != want {
			t.Errorf("%v: %q, want %q", ids, got, want)
		}
		if again, err := memory.ParseTyped(got); len(ids) > 0 && (err != nil || !slices.Equal(again, ids)) {
			t.Errorf("%q is read as %v, %v", got, again, err)
		}
	}
}
