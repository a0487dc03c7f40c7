package app

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/trace"
)

// A Gift is what an assistant was given of the memory: which memories, and not what they say.
type Gift struct {
	Refs []string // as they stood in what it got
	By   string   // the way, for people to read: "recall", "why", "page", "block"
	// Found says that they were found for a question, and Standing that they stood in a start-up block: both are use.
	Found, Standing bool
	Thread          string // what the assistant calls its own conversation; "" if it does not say
	// ForDay has it noted in the session of the day of this assistant and its face, not in one of this App: for those that open the
	// memory for a moment. Nobody waits long for that, and once the context is done nothing of it is written.
	ForDay bool
}

// Gave notes what the caller was given, where that is another assistant: in a session of this App's own, by reference, so that
// who erases a memory learns who has read it. It is no conversation: nobody goes on with it, and nothing of it is recalled.
// What cannot be noted is a warning, and costs nobody anything.
func (c *Caller) Gave(ctx context.Context, at Place, g Gift) {
	if c.who.Kind != engine.Agent || len(g.Refs) == 0 {
		return
	}
	err := c.app.with(c.who, c.place(at), func(h *View) error {
		if h.Settings.ReadOnly() {
			return nil
		}
		if g.Found {
			h.Uses.Used(ctx, g.Refs...)
		}
		switch {
		case g.Standing && g.ForDay:
			h.Uses.SentBy(ctx, g.Refs...)
		case g.Standing:
			h.Uses.Sent(ctx, g.Refs...)
		}
		if g.ForDay && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return c.app.note(ctx, h, c.who, g)
	})
	if err != nil {
		c.app.home.Warn(fault.Detail(fault.Once(fmt.Errorf("what %s was given is not noted: %w", nameOf(c.who), err))))
	}
}

// dayWait is how long a note for the day waits for who else writes.
const dayWait = 100 * time.Millisecond

// nameOf is what an assistant is called where it has no name.
func nameOf(who Actor) string { return cmp.Or(who.Name, "agent") }

// note is Gave of somebody who is another assistant, with the App in hand.
func (a *App) note(ctx context.Context, h *View, who Actor, g Gift) error {
	known, err := h.Moment().Memory(ctx)
	if err != nil {
		return err
	}
	seal, err := h.Keys.Seal()
	if err != nil {
		return err // a sum without a seal could be tried against texts
	}
	t := trace.Trace{To: trace.To{Agent: nameOf(who), Thread: h.Keys.MaskText(trace.ThreadOf(g.Thread)), By: g.By}}
	for _, ref := range g.Refs {
		given := trace.Given{Ref: ref, Standing: g.Standing}
		if corpus, doc, ok := known.Find(ref); ok {
			it, err := known.Item(corpus, doc)
			if err != nil {
				return err
			}
			given.Sum = trace.SumOf(it)
		}
		t.Chosen = append(t.Chosen, given)
	}
	dir := h.Conversations.Dir()
	head := h.Conversations.Header(who.Face)
	if g.ForDay {
		head.Agent, dir.Wait, dir.SyncLines = t.To.Agent, dayWait, false
		return dir.Note(ctx, head, t.Event(seal))
	}
	return a.notes.Add(dir, head, t, seal)
}

// Close has what was noted on the disk. The App can be used no more.
func (a *App) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.notes.Close()
}
