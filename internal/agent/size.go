package agent

import (
	"context"

	"ken/internal/llm"
	"ken/internal/tokens"
)

// A Size is what the next request holds, in tokens as package tokens estimates
// them, the question itself not counted.
type Size struct {
	System int // the base text
	Memory int // the start-up block
	Turns  int // what was said, and what commands printed since the last question
	Count  int // live turns
}

// Total is the sum of the parts.
func (s Size) Total() int { return s.System + s.Memory + s.Turns }

// perMessage is what a message costs beside its text: role, marks and line ends
// of the templates of common models take three to five tokens.
const perMessage = 4

// Size measures the next request.
func (c *Conversation) Size(ctx context.Context) Size {
	s := Size{System: perMessage + tokens.Estimate(BasePrompt()), Count: len(c.turns)}
	s.Memory = tokens.Estimate(c.o.Mask(c.Background(ctx).Block()))
	for _, m := range messages(c.turns, c.o.Mask) {
		s.Turns += messageSize(m)
	}
	if block := c.ran.block(c.o.OutputTokens); block != "" {
		s.Turns += tokens.Estimate(block)
	}
	return s
}

func messageSize(m llm.Message) int {
	n := perMessage + tokens.Estimate(m.Content)
	for _, call := range m.ToolCalls {
		n += perMessage + tokens.Estimate(call.Name) + tokens.Estimate(call.Arguments)
	}
	for _, raw := range m.Raw {
		n += tokens.Estimate(string(raw))
	}
	return n
}
