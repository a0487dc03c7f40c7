package edit

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDrop: what is dropped cannot be had again.
func TestDrop(t *testing.T) {
	t.Parallel()
	h := &History{}
	for _, entry := range []string{"ls", ":remember plum", "plum?", "date"} {
		if err := h.Add(entry, true); err != nil {
			t.Fatal(err)
		}
	}
	h.Drop(func(entry string) bool { return strings.Contains(entry, "plum") })
	if diff := cmp.Diff([]string{"ls", "date"}, h.Entries()); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
}
