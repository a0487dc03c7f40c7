package expected_test

import (
	"strings"
	"testing"

	"ken/internal/view"
	"ken/internal/view/expected"
	"ken/internal/view/viewtest"
)

// TestShapes holds every JSON shape to its names, its order and what it leaves out.
func TestShapes(t *testing.T) {
	t.Parallel()
	viewtest.Shapes(t, expected.ExpectedReport{}, expected.ExpectedResult{}, expected.ExpectedMiss{})
}

// TestText: a test that holds is a line; one that fails says what is missing, what is there, and
// why. Control characters of a file reach no terminal.
func TestText(t *testing.T) {
	t.Parallel()
	score := 2.5
	r := expected.ExpectedOf([]expected.ExpectedResult{
		{File: "a.toml", N: 1, Ask: "how?", OK: true},
		{
			File: "b\x1b[31m.toml", N: 2, Name: "the\nname", Ask: "how?",
			Missing: []expected.ExpectedMiss{{Said: "x\x1b]0;", Reason: "no memory that is active says so"}},
			Unwanted: []expected.ExpectedMiss{{
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
	if got := expected.ExpectedText(r); got != want || strings.ContainsRune(got, 0x1b) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if none := expected.ExpectedOf(nil); none.Results == nil || expected.ExpectedText(none) != "0 tests, 0 failed" {
		t.Errorf("%+v, %q", none, expected.ExpectedText(none))
	}
}
