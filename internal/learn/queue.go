package learn

import (
	"context"
	"slices"

	"ken/internal/app"
	"ken/internal/engine"
)

// A queue is what waits for the person's yes, and what they refused, at one moment.
type queue struct{ pending, refused []engine.Waiting }

func readQueue(ctx context.Context, h *app.View) (q queue, err error) {
	e, err := h.Memory.Engine()
	if err != nil {
		return q, err
	}
	q.pending, q.refused, _, err = e.Queue(ctx)
	return q, err
}

// all is what waits, and what was refused behind it.
func (q queue) all() []engine.Waiting { return slices.Concat(q.pending, q.refused) }

// propose has what is suggested wait for the person, by one append, as whoever writes here. Errors: those of engine.Writer.Propose;
// then nothing was written.
func propose(ctx context.Context, h *app.View, list func(who engine.Actor) []engine.Suggestion) ([]engine.Proposed, error) {
	w, err := h.Memory.Writer()
	if err != nil {
		return nil, err
	}
	return w.Propose(ctx, list(w.Actor())...)
}

// as are suggestions that are the same whoever proposes them.
func as(list ...engine.Suggestion) func(engine.Actor) []engine.Suggestion {
	return func(engine.Actor) []engine.Suggestion { return list }
}
