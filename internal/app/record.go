package app

import (
	"context"
	"fmt"

	"ken/internal/fault"
)

// Record keeps a question that a program passed on, and its answer, as turns of a session, and returns where: an Exchange that goes
// on with it has that for its Path. What cannot be kept is a warning, and costs nobody anything.
func (c *Caller) Record(_ context.Context, e Exchange) (path string) {
	err := c.app.with(c.who, c.place(""), func(h *View) (err error) {
		e.Channel, e.Client = c.who.Face, nameOf(c.who)
		path, err = h.Conversations.Exchange(e)
		return err
	})
	if err != nil {
		c.app.home.Warn(fault.Detail(fault.Once(fmt.Errorf("what %s asked is not kept: %w", nameOf(c.who), err))))
	}
	return path
}
