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

// Gave notes what the caller was given, where that is another assistant: in a session of the App's own, by reference, so that
// who erases a memory learns who has read it. It is no conversation: nobody goes on with it, and nothing of it is recalled.
// What cannot be noted is a warning, and costs nobody anything.
func (v *View) Gave(ctx context.Context, g Gift) {
	if v.o.Actor.Kind != engine.Agent || len(g.Refs) == 0 {
		return
	}
	if err := v.gave(ctx, g); err != nil {
		v.Warn(fault.Detail(fault.Once(fmt.Errorf("what %s was given is not noted: %w", nameOf(v.o.Actor), err))))
	}
}

func (v *View) gave(ctx context.Context, g Gift) error {
	if _, err := v.Settings.Read(); err != nil || v.Settings.ReadOnly() {
		return err
	}
	if g.Found {
		v.Uses.Used(ctx, g.Refs...)
	}
	switch {
	case g.Standing && g.ForDay:
		v.Uses.SentBy(ctx, g.Refs...)
	case g.Standing:
		v.Uses.Sent(ctx, g.Refs...)
	}
	if g.ForDay && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return v.note(ctx, g)
}

// dayWait is how long a note for the day waits for who else writes.
const dayWait = 100 * time.Millisecond

// nameOf is what an assistant is called where it has no name.
func nameOf(who Actor) string { return cmp.Or(who.Name, "agent") }

// note is Gave of somebody who is another assistant.
func (v *View) note(ctx context.Context, g Gift) error {
	known, err := v.Moment().Memory(ctx)
	if err != nil {
		return err
	}
	seal, err := v.Keys.Seal()
	if err != nil {
		return err // a sum without a seal could be tried against texts
	}
	t := trace.Trace{To: trace.To{Agent: nameOf(v.o.Actor), Thread: v.Keys.MaskText(trace.ThreadOf(g.Thread)), By: g.By}}
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
	dir := v.Conversations.Dir()
	head := v.Conversations.Header(v.o.Actor.Face)
	if g.ForDay {
		head.Agent, dir.Wait, dir.SyncLines = t.To.Agent, dayWait, false
		return dir.Note(ctx, head, t.Event(seal))
	}
	return v.app.notes.Add(dir, head, t, seal)
}
