package view_test

import (
	"strings"
	"testing"

	"ken/internal/view"
)

// TestExpectedText: a test that holds is a line; one that fails says what is missing, what is there, and
// why. Control characters of a file reach no terminal.
func TestExpectedText(t *testing.T) {
	t.Parallel()
	score := 2.5
	r := view.ExpectedOf([]view.ExpectedResult{
		{File: "a.toml", N: 1, Ask: "how?", OK: true},
		{
			File: "b\x1b[31m.toml", N: 2, Name: "the\nname", Ask: "how?",
			Missing: []view.ExpectedMiss{{Said: "x\x1b]0;", Reason: "no memory that is active says so"}},
			Unwanted: []view.ExpectedMiss{{
				Said: "#3", Ref: "3", Content: "tea", Reason: "why",
				Score: &score, Parts: view.Parts{{Name: "words", Score: 3}, {Name: "archive", Score: -.5}},
			}},
		},
		{File: "c.toml", Error: "line 1: what?"},
	})
	const want = `ok    a.toml:1  how?
FAIL  b.toml:2  the name
      missing: "x"
        no memory that is active says so
      not wanted: [3] tea
        why
        2.50 = words 3.00 - archive 0.50
FAIL  c.toml
      line 1: what?
3 tests, 2 failed`
	if got := view.ExpectedText(r); got != want || strings.ContainsRune(got, 0x1b) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if none := view.ExpectedOf(nil); none.Results == nil || view.ExpectedText(none) != "0 tests, 0 failed" {
		t.Errorf("%+v, %q", none, view.ExpectedText(none))
	}
}
