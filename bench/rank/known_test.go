package rank

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestKnown: the turns that are asked for are the same at every run, and so are the
// words, which are the turn's, differ, and carry meaning.
func TestKnown(t *testing.T) {
	t.Parallel()
	d, err := load("testdata")
	if err != nil {
		t.Fatal(err)
	}
	list := d.known()
	if len(list) < 10 {
		t.Fatalf("%d turns", len(list))
	}
	for i, r := range list {
		of := contentWords(d.turns[r.turn].said())
		sorted := slices.Sorted(slices.Values(r.words))
		if len(sorted) != 6 || len(slices.Compact(sorted)) != 6 {
			t.Errorf("words %q", r.words)
		}
		for _, w := range r.words {
			if !slices.Contains(of, w) {
				t.Errorf("%q is not of turn %d", w, r.turn)
			}
		}
		if slices.ContainsFunc(list[i+1:], func(o recalled) bool { return o.turn == r.turn }) {
			t.Errorf("turn %d twice", r.turn)
		}
	}
	if diff := cmp.Diff(list, d.known(), cmp.AllowUnexported(recalled{})); diff != "" {
		t.Errorf("drawn differently: %s", diff)
	}
	if diff := cmp.Diff([]string{"paris", "kettle"}, contentWords("We're in Paris, Paris with 2 of the KETTLE v2 x86 ok!")); diff != "" {
		t.Error(diff)
	}
}
