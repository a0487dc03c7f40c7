package agent

import (
	"context"
	"slices"

	"ken/internal/session"
)

// Forgotten is what is sent in the place of a turn whose text must not come back.
// The turn itself stays, so that roles alternate and undo brings it back.
const Forgotten = "[forgotten]"

// Sent returns the live turns as the next request sends them: those that taught what
// was forgotten say no more than that.
func (c *Conversation) Sent(ctx context.Context) []session.Turn {
	if !c.hides && c.o.Memory != nil {
		c.hidden, c.hides = c.o.Memory.Hides(ctx, c.o.Record), true
	}
	if c.hidden == nil || !slices.ContainsFunc(c.turns, c.hidden) {
		return c.turns
	}
	turns := slices.Clone(c.turns)
	for i, t := range turns {
		if c.hidden(t) {
			turns[i] = emptied(t, Forgotten)
		}
	}
	return turns
}

// Hides reports whether turn n of a conversation, or text that belongs to it, is not sent, since what it taught or says was
// forgotten.
func Hides(ctx context.Context, c *Conversation, n int, text string) bool {
	c.Sent(ctx) // asks what is hidden, if it is not known
	return c.hidden != nil && c.hidden(session.Turn{N: n, Content: text})
}

// ResultAt is turn n of a conversation, if it is live and what came of a call.
func ResultAt(c *Conversation, n int) (t session.Turn, ok bool) {
	i := slices.IndexFunc(c.turns, func(t session.Turn) bool { return t.N == n && t.Role == session.RoleTool })
	if i < 0 {
		return t, false
	}
	return c.turns[i], true
}

// Erase takes out of the live turns, and of what commands printed and was not sent
// yet, what says something that was erased, and what is erased in the record of the
// conversation.
func (c *Conversation) Erase(says func(string) bool, record []session.Turn) {
	gone := make(map[int]bool)
	for _, t := range record {
		if t.Content == session.Gone {
			gone[t.N] = true
		}
	}
	erased := func(t session.Turn) bool {
		return gone[t.N] || says(t.Content) || says(string(t.ToolCalls)) || says(string(t.Attached))
	}
	for i, t := range c.turns {
		if erased(t) {
			c.turns[i] = emptied(t, session.Gone)
		}
	}
	c.eraseLeft(erased)
	c.eraseSummary(says)
	c.ran.list = slices.DeleteFunc(c.ran.list, func(r Ran) bool { return says(r.Command) || says(r.Output) })
}

// emptied is a turn that says text and nothing else.
func emptied(t session.Turn, text string) session.Turn {
	t.Content, t.ToolCalls, t.Attached, t.Raw, t.Extra = text, nil, nil, nil, nil
	return t
}
