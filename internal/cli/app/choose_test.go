package app

import (
	"strings"
	"testing"

	"ken/internal/view"
)

// TestChosen: which of the listed memories an answer names.
func TestChosen(t *testing.T) {
	t.Parallel()
	var found []Found
	for _, ref := range []string{"1", "desk-19c4/3", "h1a2b3c4d"} {
		found = append(found, Found{Hit: view.Hit{Ref: ref}})
	}
	for _, c := range []struct{ answer, want, err string }{
		{answer: ""},
		{answer: " , "},
		{answer: "no"},
		{answer: "N"},
		{answer: "none"},
		{answer: "all", want: "1 desk-19c4/3 h1a2b3c4d"},
		{answer: "1", want: "1"},
		{answer: "#1", want: "1"},
		{answer: "[desk-19c4/3], 1", want: "desk-19c4/3 1"},
		{answer: "1 1", want: "1"},
		{answer: "2", err: `"2" is not in the list`},
		{answer: "1 2", err: `"2" is not in the list`},
		{answer: "y", err: `"y" is not in the list`},
		{answer: "1 all", err: `"all" is not in the list`},
		{answer: "no 1", err: `"no" is not in the list`},
	} {
		refs, err := chosen(found, c.answer, Choice{})
		if got := strings.Join(refs, " "); err == nil && c.err != "" || err != nil && (c.err == "" || !strings.Contains(err.Error(), c.err)) || err == nil && got != c.want {
			t.Errorf("%q: %q, %v", c.answer, got, err)
		}
	}
}
