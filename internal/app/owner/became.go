package owner

import (
	"ken/internal/fault"
	"ken/internal/home"
	"ken/internal/memory"
	"ken/internal/session"
	"ken/internal/session/feedback"
)

// A Live gives the record of the conversation with an id that this process holds; of "" that of the one in which the person is,
// where they are in one. It gives nil where there is none, and may be nil.
type Live = func(id string) *session.Writer

// With returns the person, who notes what becomes of memories in the conversations that live gives as well: others are opened for
// it, and one that another process holds does not learn of it.
func (o *Owner) With(live Live) *Owner {
	with := *o
	with.live = live
	return &with
}

// held is the record of a conversation that this process holds, or nil.
func (o *Owner) held(id string) *session.Writer {
	if o.live == nil {
		return nil
	}
	return o.live(id)
}

// tookBack notes that a memory was taken back where it was stated. What cannot be noted is a warning: it was taken back all the same.
func (o *Owner) tookBack(ref string, from *memory.Source) error {
	ids, err := memory.ParseTyped(ref)
	if err != nil {
		return err
	}
	id := ""
	if from != nil {
		id = from.Session
	}
	return o.caller.Do("", func(h *home.Home) error {
		live := func() *session.Writer { return o.held(id) }
		if err := feedback.Undo(h.Conversations.Dir(), live, ids[0].String(), from); err != nil {
			h.Warn(fault.Once(err))
		}
		return nil
	})
}
