package why

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestR374Difference: what would have been otherwise without a memory is said by reference.
func TestR374Difference(t *testing.T) {
	t.Parallel()
	report := func(items ...string) Report { // "3 activated"
		r := Report{Session: "s", N: 2, Provenance: []Envelope{}}
		e := Envelope{Source: SourceBackground}
		for _, it := range items {
			ref, as, _ := strings.Cut(it, " ")
			e.Items = append(e.Items, Ground{Ref: ref, As: As(as)})
		}
		if len(items) > 0 {
			r.Provenance = append(r.Provenance, e)
		}
		return r
	}
	was := report("1 activated", "2 standing", "3 activated")
	for _, test := range []struct {
		ref     string
		instead Report
		want    string
	}{
		{"1", report("2 standing", "3 activated"), "a:2 without [1]: the rest, and nothing in its place"},
		{"1", report("2 standing", "3 activated", "4 activated"), "a:2 without [1]: [4] in its place"},
		{"1", report("2 activated", "3 standing"), "a:2 without [1]: [2] called up, and not only there; [3] only there, and not called up"},
		{"1", report(), "a:2 without [1]: [2] [3] gone as well"},
		{"9", was, "a:2 did not have [9], and without it in the memory had the same"},
		{"9", report("1 activated", "2 standing", "3 activated", "8 standing"), "a:2 did not have [9]; without it in the memory: [8] besides"},
	} {
		v := WithoutOf(test.ref, was, test.instead, true)
		if got, _, _ := strings.Cut(v.Text("a:2"), "\n"); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
		if v.Gained == nil || v.Lost == nil || v.Raised == nil || v.Lowered == nil || v.Provenance == nil {
			t.Errorf("a list that is null: %+v", v)
		}
	}
	many := WithoutOf("1", was, report("11", "12", "13", "14", "15", "16", "17", "18", "19", "2 standing", "3 activated"), false)
	want := "a:2 without [1]: [11] [12] [13] [14] [15] [16] [17] [18] 1 more in its place\n" +
		"not exact: made again with it, the choice is not what the answer was given; something of that moment is not known any more"
	if diff := cmp.Diff(want, strings.Join(strings.Split(many.Text("a:2"), "\n")[:2], "\n")); diff != "" {
		t.Error(diff)
	}
}
