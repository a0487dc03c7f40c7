package agent

import (
	"context"
	"slices"

	"ken/internal/session"
)

// Going returns the live turns as they would be sent now: those of Sent, without what a
// stranger does not get, and shorter where that makes room.
func (c *Conversation) Going(ctx context.Context) []session.Turn { return c.goes(c.Sent(ctx)) }

// goes are the turns that go to the model in force, of those that are live.
func (c *Conversation) goes(turns []session.Turn) []session.Turn {
	if !c.o.stranger() {
		return c.shorter(turns)
	}
	return c.shorter(slices.DeleteFunc(slices.Clone(turns[min(c.private, len(turns)):]), func(t session.Turn) bool { return t.Recalled }))
}

// Earlier reports whether there is anything of the conversation that a stranger does not get.
func (c *Conversation) Earlier() bool { return c.private > 0 || c.privy }
