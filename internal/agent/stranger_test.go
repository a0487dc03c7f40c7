package agent

import (
	"context"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ken/internal/llm"
	"ken/internal/session"
)

// An echo keeps what was sent to it and answers always the same.
type echo struct{ answer, sent string }

func (e *echo) Stream(_ context.Context, req llm.Request, _ func(llm.Delta) error) (llm.Answer, error) {
	for _, m := range req.Messages {
		e.sent += m.Content + "\n"
	}
	return llm.Answer{Message: llm.Message{Role: roleAssistant, Content: e.answer}, Finish: "stop"}, nil
}

// TestStranger: whatever order a conversation is continued, summed up, reset and put to
// models in, one that the person did not name gets what was said to strangers alone.
func TestStranger(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		stranger := false
		o := session.Live{}
		c := New(Options{
			Record: session.Discard(), Now: clock, MaxTurns: 6,
			Surroundings: scene{stranger: func() bool { return stranger }}, Compaction: Compaction{Keep: 2, Tokens: 500},
		})
		for range rapid.IntRange(1, 20).Draw(rt, "steps") {
			switch rapid.SampledFrom([]string{"ask", "ask", "ask", "continue", "compact", "reset"}).Draw(rt, "step") {
			case "ask":
				stranger = rapid.Bool().Draw(rt, "stranger")
				text := "private words"
				if stranger {
					text = "open words"
				}
				m := &echo{answer: text}
				if _, err := c.Ask(t.Context(), Question{Text: text, Model: m}, nil); err != nil {
					rt.Fatal(err)
				}
				if stranger && strings.Contains(m.sent, "private") {
					rt.Fatalf("a stranger got %q", m.sent)
				}
			case "continue":
				o.Turns = []session.Turn{{N: 1, Role: session.RoleUser, Content: "private question"}, {N: 2, Role: session.RoleAssistant, Content: "private answer"}}
				o.Summary = rapid.SampledFrom([]string{"", "private summary"}).Draw(rt, "summary")
				c.Continue(t.Context(), o, session.Discard(), "")
			case "compact":
				_, _ = c.Compact(t.Context()) // it may be too short
			case "reset":
				c.Reset()
			}
		}
	})
}
