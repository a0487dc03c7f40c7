package digest

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestWithout: what is left of a text says nothing of what is to go, for any texts.
func TestWithout(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{
			"the kettle is on shelf 3", "the kettle is", "on shelf 3", "tea", "", "- the kettle is  on shelf 3!", "## Said",
		})
		text := strings.Join(rapid.SliceOf(line).Draw(t, "lines"), "\n")
		says := func(s string) bool {
			return strings.Contains(strings.Join(strings.Fields(s), " "), "the kettle is on shelf 3")
		}
		left := Without(text, says)
		if says(left) {
			t.Fatalf("%q is left of %q", left, text)
		}
		if !says(text) && left != text {
			t.Fatalf("%q became %q", text, left)
		}
	})
}
