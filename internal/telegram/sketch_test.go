package telegram

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestSketch: in whatever pieces an answer comes, what is shown of it is its newest message.
func TestSketch(t *testing.T) {
	t.Parallel()
	list := pieces()
	rapid.Check(t, func(t *rapid.T) {
		var k sketch
		var b strings.Builder
		for _, i := range rapid.SliceOfN(rapid.IntRange(0, len(list)-1), 0, 80).Draw(t, "pieces") {
			k.add(list[i])
			b.WriteString(list[i])
			if rapid.IntRange(0, 3).Draw(t, "look") == 0 {
				k.last()
			}
		}
		const end = "\n\nthe end.\n" // nothing is held back behind it
		k.add(end)
		parts := Parts(b.String() + end)
		if diff := cmp.Diff(parts[len(parts)-1], k.last()); diff != "" {
			t.Errorf("%q (-whole +pieces)\n%s", b.String(), diff)
		}
	})
}

// answerOf is an answer of so many bytes.
func answerOf(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "## Part %d\n\nThe *staging* host %d is **kettle**, and `ssh kettle` leads there: on the shelf of the kitchen.\n\n", i, i)
		fmt.Fprintf(&b, "- one %d\n- two, see https://example.com/a/b\n- three\n\n```go\nfunc f%d() { return }\n```\n\n", i, i)
	}
	return b.String()[:n]
}

// sketched shows an answer at each of its pieces.
func sketched(text string) {
	const piece = 15
	var k sketch
	for from := 0; from < len(text); from += piece {
		k.add(text[from:min(from+piece, len(text))])
		k.last()
	}
}

// TestDraftIsLinear: what it takes to show an answer while it is written grows as the answer does, and no faster. What is allocated
// is what is counted: each character that is laid out is.
func TestDraftIsLinear(t *testing.T) {
	short, long := answerOf(12_000), answerOf(48_000)
	few := testing.AllocsPerRun(1, func() { sketched(short) })
	many := testing.AllocsPerRun(1, func() { sketched(long) })
	if many > 5*few {
		t.Errorf("four times the answer takes %.0f allocations, and it took %.0f", many, few)
	}
}

func BenchmarkParts(b *testing.B) {
	text := answerOf(37_000)
	for b.Loop() {
		Parts(text)
	}
}

func BenchmarkDraft(b *testing.B) {
	text := answerOf(37_000)
	for b.Loop() {
		sketched(text)
	}
}
