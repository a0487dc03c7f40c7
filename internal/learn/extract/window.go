package extract

import (
	"context"
	_ "embed" // for the prompt
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"ken/internal/frame"
)

//go:embed prompts/extract.txt
var extractPrompt string

// Prompt returns what a model reads before the conversation.
func Prompt() string { return strings.TrimSpace(extractPrompt) }

const (
	// MostWindow is how much of a conversation is shown, in bytes of its lines.
	MostWindow = 64 << 10
	// MostPassage is how much of one passage is shown, in bytes: its beginning and end.
	MostPassage = 4 << 10
)

// A Model answers one request: instructions, and the conversation they are about.
type Model interface {
	Answer(ctx context.Context, instructions, conversation string) (string, error)
}

// Window returns what of the passages is shown to a model: the newest ones that fit,
// whole but for long ones, oldest first, each on a line of its own that no text can
// break out of. It is "" if the person typed nothing of it.
func Window(list []Passage) string {
	var lines []string
	size, typed := 0, false
	for _, p := range slices.Backward(list) {
		if p.Hidden {
			continue
		}
		line := p.line()
		if size += len(line) + 1; size > MostWindow {
			break
		}
		lines = append(lines, line)
		typed = typed || p.Typed()
	}
	if !typed {
		return ""
	}
	slices.Reverse(lines)
	return strings.Join(lines, "\n")
}

// line is a passage as a model gets it. No text in it opens a block, or a turn.
func (p Passage) line() string {
	shown := struct {
		N    int    `json:"n"`
		Who  string `json:"who"`
		From string `json:"from,omitempty"` // the origin of an answer that rests on others' texts
		Day  string `json:"day,omitempty"`
		Text string `json:"text"`
	}{N: p.N, Who: "user", Text: frame.Turn(clip(p.Text))}
	if p.Answer {
		shown.Who = "assistant"
		if p.Origin != "model" {
			shown.From = string(p.Origin)
		}
	}
	if !p.Time.IsZero() {
		shown.Day = p.Time.Format("2006-01-02")
	}
	b, err := json.Marshal(shown)
	if err != nil { // there is nothing in it that could not be
		return ""
	}
	return string(b)
}

// clip is a text of at most MostPassage bytes.
func clip(s string) string {
	if len(s) <= MostPassage {
		return s
	}
	const half = MostPassage / 2
	return strings.ToValidUTF8(s[:half], "") + fmt.Sprintf(" [... %d bytes ...] ", len(s)-2*half) + strings.ToValidUTF8(s[len(s)-half:], "")
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
