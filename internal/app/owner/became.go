package owner

import (
	"context"
	"errors"
	"slices"

	"ken/internal/fault"
	"ken/internal/memory"
	"ken/internal/session"
	"ken/internal/session/feedback"
	"ken/internal/view/why"
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
	h := o.view()
	live := func() *session.Writer { return o.held(id) }
	if err := feedback.Undo(h.Conversations.Dir(), live, ids[0].String(), from); err != nil {
		h.Warn(fault.Once(err))
	}
	return nil
}

// Amiss notes that a memory had nothing to do with answer n of a conversation, which had it: once, and by reference. The memory stays as it
// is. Errors: there is no such conversation or answer, or it had no such memory; another process holds the conversation; the memory is
// only read.
func (o *Owner) Amiss(_ context.Context, name string, n int, ref string) error {
	h := o.view()
	t, err := transcript(h, name)
	if err != nil {
		return err
	}
	at, ok := t.Turn(n)
	switch {
	case h.Settings.ReadOnly():
		return fault.Refusedf("the memory is only read here, and nothing is noted")
	case !ok || at.Role != session.RoleAssistant || !slices.Contains(why.TraceIn(t, n).Refs(), ref):
		return fault.NotFoundf("answer %d of this conversation had no memory %q", n, ref)
	case slices.Contains(amiss(t, n), ref):
		return nil
	}
	id := t.Header.Session
	live := func() *session.Writer { return o.held(id) }
	err = feedback.Add(h.Conversations.Dir(), live, id, feedback.Outcome{Kind: feedback.Rejected, Of: feedback.Memory, Ref: ref, N: n})
	if errors.Is(err, session.ErrHeld) {
		return fault.Refusedf("this conversation is open in another ken: nothing was noted").WithHint("close it there")
	}
	return err
}

// amiss are the memories that were said to have nothing to do with answer n.
func amiss(t *session.Transcript, n int) (refs []string) {
	for _, b := range feedback.Read(t) {
		if b.Kind == feedback.Rejected && b.Of == feedback.Memory && b.N == n {
			refs = append(refs, b.Ref)
		}
	}
	return refs
}

// AmissIn are the memories that the person said had nothing to do with answer n of a conversation. Errors: there is none.
func (o *Owner) AmissIn(_ context.Context, name string, n int) (refs []string, err error) {
	h := o.view()
	t, err := transcript(h, name)
	if err == nil {
		refs = amiss(t, n)
	}
	return refs, err
}
