package markdown

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestBlocks: the blocks of code of an answer are what stands between their fences.
func TestBlocks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"none":                  {"a `b` c\n", nil},
		"one":                   {"look:\n```go\nx := 1\n\n\ty()\n```\nthere\n", []string{"x := 1\n\n\ty()\n"}},
		"two":                   {"```\na\n```\n~~~ sh\nb\n~~~\n", []string{"a\n", "b\n"}},
		"in a list":             {"1. so:\n   ```sh\n   ls\n     -l\n  x\n   ```\n2. b\n", []string{"ls\n  -l\nx\n"}},
		"a fence in a fence":    {"````md\n```\nx\n```\n````\n", []string{"```\nx\n```\n"}},
		"other marks":           {"```\n~~~\n```\n", []string{"~~~\n"}},
		"no end":                {"```\na\nb", []string{"a\nb\n"}},
		"empty":                 {"```\n```\n", []string{""}},
		"an end that says more": {"```\na\n``` b\nc\n```\n", []string{"a\n``` b\nc\n"}},
		"code in a sentence":    {"```a``` is\n", nil},
		"two marks only":        {"``\na\n``\n", nil},
		"line ends of Windows":  {"```\r\na\r\n```\r\n", []string{"a\r\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, Blocks(c.text)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// FuzzBlocks: no line of a block is made up.
func FuzzBlocks(f *testing.F) {
	f.Add("1. a\n   ```sh\n   ls\n   ```\n")
	f.Add("~~~\n```\nx")
	f.Fuzz(func(t *testing.T, text string) {
		for _, block := range Blocks(text) {
			for line := range strings.Lines(block) {
				if !strings.Contains(text, strings.TrimRight(line, "\n")) {
					t.Fatalf("%q is not in %q", line, text)
				}
			}
		}
	})
}
