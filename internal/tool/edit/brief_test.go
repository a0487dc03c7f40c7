package edit_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ken/internal/tool/edit"
)

// TestBrief: of long lines what changes is shown, with what stands beside it; what is short is as it was.
func TestBrief(t *testing.T) {
	t.Parallel()
	x, y := strings.Repeat("x", 5000), strings.Repeat("ä", 5000)
	beside := strings.Repeat("x", 80)
	for name, c := range map[string]struct{ before, after, want string }{
		"short": {"a\nb\n", "a\nc\n", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"},
		"the end": {
			x + "1", x + "2", "-[... 4920 bytes as they are ...]" + beside + "1\n\\ No newline at end of file\n" +
				"+[... 4920 bytes as they are ...]" + beside + "2\n",
		},
		"beginning": {
			"1" + x + "\n", "22" + x + "\n",
			"-1" + beside + "[... 4920 bytes as they are ...]\n+22" + beside + "[... 4920 bytes as they are ...]\n",
		},
		"around":      {x + "\nb\n", x + "\nc\n", " " + x[:199] + "[... 4801 bytes as they are ...]\n-b\n+c\n"},
		"made":        {"", x + "\n", "+" + x + "\n"},
		"two for one": {x + "\n", x + "\n1" + x + "\n", "+1" + x + "\n"},
		"letters":     {y + "1\n", y + "2\n", "[... 9920 bytes as they are ...]" + strings.Repeat("ä", 40) + "1\n"},
	} {
		got := edit.Brief(edit.Diff("f", c.before, c.after))
		if !strings.Contains(got, c.want) || !strings.HasPrefix(got, "--- f\n+++ f\n@@") {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestBriefLaw: nothing that comes or goes is left out, and what is not long is not touched.
func TestBriefLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.Custom(func(t *rapid.T) string {
			of := rapid.SampledFrom([]string{"a", "ä", "-", "+", "@@"}).Draw(t, "of")
			return strings.Repeat(of, rapid.SampledFrom([]int{0, 1, 3, 500}).Draw(t, "n"))
		})
		lines := rapid.SliceOfN(line, 0, 6)
		before, after := strings.Join(lines.Draw(t, "before"), "\n"), strings.Join(lines.Draw(t, "after"), "\n")
		diff := edit.Diff("f", before, after)
		brief := edit.Brief(diff)
		if a, b := strings.Count(diff, "\n"), strings.Count(brief, "\n"); a != b {
			t.Fatalf("%d lines became %d", a, b)
		}
		if !strings.Contains(brief, "as they are") && brief != diff {
			t.Fatalf("%q became %q", diff, brief)
		}
		plus, minus := edit.Count(diff)
		if p, m := edit.Count(brief); p != plus || m != minus {
			t.Fatalf("+%d -%d became +%d -%d", plus, minus, p, m)
		}
	})
}
