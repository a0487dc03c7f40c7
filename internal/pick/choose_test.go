package pick

import (
	"strings"
	"testing"

	"ken/internal/app"
	"ken/internal/view"
)

// TestChosen: which of the listed memories an answer names.
func TestChosen(t *testing.T) {
	t.Parallel()
	var found []app.Found
	for _, ref := range []string{"1", "desk-19c4/3", "h1a2b3c4d"} {
		found = append(found, app.Found{Hit: view.Hit{Ref: ref}})
	}
	for _, c := range []struct {
		answer, want, err string
		choice            Reading
	}{
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
		{answer: "y", want: "1 desk-19c4/3 h1a2b3c4d"},
		{answer: "y", err: `"y" is not in the list`, choice: Reading{One: true}},
		{answer: "y 1", err: `"y" is not in the list`},
		{answer: "1 all", err: `"all" is not in the list`},
		{answer: "no 1", err: `"no" is not in the list`},
		{answer: "1", want: "1", choice: Reading{One: true}},
		{answer: "all", err: `"all" is not in the list`, choice: Reading{One: true}},
		{answer: "1 desk-19c4/3", err: "one at a time", choice: Reading{One: true}},
		{answer: "2", want: "desk-19c4/3", choice: Reading{Numbered: true}},
		{answer: "h1a2b3c4d 1", want: "h1a2b3c4d 1", choice: Reading{Numbered: true}},
		{answer: "0", err: `"0" is not in the list`, choice: Reading{Numbered: true}},
		{answer: "4", err: `"4" is not in the list`, choice: Reading{Numbered: true}},
	} {
		refs, err := c.choice.Chosen(RefsOf(found), c.answer)
		if got := strings.Join(refs, " "); err == nil && c.err != "" || err != nil && (c.err == "" || !strings.Contains(err.Error(), c.err)) || err == nil && got != c.want {
			t.Errorf("%q: %q, %v", c.answer, got, err)
		}
	}
}

// TestClear: what a text means beyond doubt.
func TestClear(t *testing.T) {
	t.Parallel()
	list := func(texts ...string) (found []app.Found) {
		for i, text := range texts {
			found = append(found, app.Found{Hit: view.Hit{Ref: string(rune('a' + i)), Content: text}})
		}
		return found
	}
	for _, c := range []struct {
		found      []app.Found
		text, want string
	}{
		{list("tea at noon"), "tea", "a"},
		{list("tea at noon", "tea"), "tea", "b"},
		{list("tea at noon", "TEA \n time"), "tea time", "b"},
		{list("tea at noon", "tea at one"), "tea", ""},
		{list("tea", "Tea"), "tea", ""},
	} {
		if got := Clear(c.found, c.text); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}
