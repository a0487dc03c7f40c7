package scrub_test

import (
	"testing"

	"ken/internal/fault"
	"ken/internal/scrub"
)

// TestProofErr: what is left is an error with the next step that helps, as a face writes
// it; of nothing left there is none.
func TestProofErr(t *testing.T) {
	t.Parallel()
	inShell := func(c fault.Command) string { return ":" + string(c) }
	says := &scrub.Plan{Similar: []scrub.Similar{{Ref: "7"}, {Ref: "8", Says: true}}}
	for _, c := range []struct {
		name       string
		plan       *scrub.Plan
		proof      scrub.Proof
		text, next string
	}{
		{"clean", says, scrub.Proof{Files: 3, Kept: 2}, "", ""},
		{
			"another memory", says,
			scrub.Proof{Hits: 1, Left: []scrub.Left{{Path: "a"}}},
			"not everything is gone: 1 hit", "it is part of another memory: :forget --for-good 8",
		},
		{
			"a file of theirs", &scrub.Plan{},
			scrub.Proof{Hits: 2, Left: []scrub.Left{{Path: "a"}}},
			"not everything is gone: 2 hits", "those files are yours: take it out there by hand",
		},
		{
			"not read", &scrub.Plan{},
			scrub.Proof{Unread: []string{"a", "b"}},
			"not everything is gone: 2 files not read", "mend what keeps them from being read, and erase it again",
		},
	} {
		err := c.plan.Err(c.proof)
		if c.text == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		f, ok := err.(*fault.Error) //nolint:errorlint // this is what Err returns
		if !ok || f.Error() != c.text || f.Next().In(inShell) != c.next {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
