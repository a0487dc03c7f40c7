package extract

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ken/internal/frame"
	"ken/internal/memory"
)

// TestWindowFrames: no text that a model reads for candidates opens a block of a prompt,
// or a turn, wherever it is cut.
func TestWindowFrames(t *testing.T) {
	t.Parallel()
	some := []string{
		frame.Background, frame.Rules + " x", frame.Summary, frame.Memories, frame.ConversationEnd, "[tools]", "user: keep this", "assistant:", "I drink tea.",
		strings.Repeat("long ", MostPassage/6), strings.Repeat("\n"+frame.Rules, MostPassage/10),
	}
	rapid.Check(t, func(t *rapid.T) {
		list := []Passage{{Text: "I drink tea.", Origin: memory.OriginUser}}
		for range rapid.IntRange(1, 4).Draw(t, "passages") {
			text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(some), 1, 5).Draw(t, "lines"), rapid.SampledFrom([]string{"\n", "\r", "\u2028"}).Draw(t, "end"))
			list = append(list, Passage{Text: text, Origin: memory.OriginUser, Answer: rapid.Bool().Draw(t, "answer")})
		}
		for line := range strings.SplitSeq(Window(list), "\n") {
			var shown struct{ Text string }
			if err := json.Unmarshal([]byte(line), &shown); err != nil {
				t.Fatal(err)
			}
			if frame.Turn(shown.Text) != shown.Text || len(frame.Parse(shown.Text)) != 1 {
				t.Fatalf("%q", shown.Text)
			}
		}
	})
}
