package engine

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/review"
	"ken/internal/rules"
)

// Queue returns what waits, oldest first, with postponed proposals at the end, and what was
// refused, the newest answer first. problems are the lines of the queue that cannot be read.
func (e *Engine) Queue(ctx context.Context) (pending, refused []Waiting, problems []jsonl.Problem, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	s, b, err := e.knowQueue(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	rests := review.RestsOf(s)
	pending = append(review.WaitingLines(s), review.WaitingProposals(b.Pending(rests))...)
	return pending, review.WaitingProposals(b.Refused(rests)), b.Problems(), nil
}

// What waits, and what is said to it.
type (
	// A Waiting is one thing that a person is to decide.
	Waiting = review.Waiting
	// An Answer is the answer of a person to one of them.
	Answer = review.Answer
)

// An Outcome is the result of an Answer: the lines that the memory got, if any, or the reason why
// there are none.
type Outcome struct {
	Receipt
	Err error
}

// errNoLines ends a write that has come to nothing.
var errNoLines = errors.New("nothing to write")

// A QueueError says that the memory has what was decided, and that the queue could not note it.
// Nothing is lost: the line of the memory counts.
type QueueError struct{ Err error }

func (e *QueueError) Error() string {
	return "the decision is kept, but not noted in the queue: " + e.Err.Error()
}

func (e *QueueError) Unwrap() error { return e.Err }

// decide is Writer.DecideAll for a person.
func (e *Engine) decide(ctx context.Context, answers []Answer) ([]Outcome, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	s, b, err := e.knowQueue(ctx)
	if err != nil {
		return nil, err
	}
	batch := review.NewBatch(s, b, answers, e.answered)
	wrote := false
	if batch.Writes() {
		r, err := e.write(ctx, func(s *memory.State) ([]memory.Record, error) {
			// Under the lock, so that two who answer at once are not both heard.
			b, err := e.queue.Read()
			if err != nil {
				return nil, err
			}
			var let []memory.Record // what was said yes to so far: two suggestions may relax together what neither does alone
			if recs := batch.Records(s, b, func(s *memory.State, rec *memory.Record) error {
				if err := checkTargets(s, rec); err != nil {
					return err
				}
				rebound(s, rec)
				err := e.neverRelaxes(ctx, s, rec, let...)
				if err == nil && rules.MayChange(s, rec) {
					let = append(let, *rec)
				}
				return err
			}); len(recs) > 0 {
				return recs, nil
			}
			return nil, errNoLines
		})
		if err != nil && !errors.Is(err, errNoLines) {
			return nil, err
		}
		wrote = err == nil
		batch.Written(r.IDs)
	}
	if batch.Notes() {
		rests := review.RestsOf(e.fold())
		err = e.queue.Append(ctx, func(b *review.Queue) (review.Draft, error) { return batch.Draft(b, rests), nil })
	}
	if err == nil && batch.Refuses() {
		if _, err = e.catchUp(ctx); err == nil {
			batch.Overtaken(review.RestsOf(e.fold()))
		}
	}
	if err != nil && !wrote {
		return nil, err
	}
	out := make([]Outcome, len(batch))
	for i, r := range batch {
		out[i] = Outcome{Receipt{IDs: r.IDs}, r.Err}
	}
	if err != nil {
		return out, &QueueError{err}
	}
	return out, nil
}

// answered is what a yes writes: clean and masked, whatever the queue's file says.
func (e *Engine) answered(rec memory.Record, a Answer) (memory.Record, error) {
	e.tidy(&rec)
	if a.Kind != nil && !rec.Kind.Changes() {
		kind, subtype := memory.ParseKind(string(*a.Kind))
		if kind.Changes() || !kind.Known() {
			return rec, &KindError{*a.Kind}
		}
		rec.Kind, rec.Detail.Subtype = kind, subtype
	}
	if a.Scope != nil {
		if err := checkScope(*a.Scope); err != nil {
			return rec, err
		}
		rec.Scope = *a.Scope
	}
	if a.Content != nil {
		text, _, err := e.content(*a.Content, false)
		if err != nil {
			return rec, err
		}
		if rec.Content != text {
			rec.Detail.Match, rec.Detail.Unless, rec.Detail.Raise = nil, "", "" // of the text that was proposed
		}
		rec.Content = text
	}
	bind(&rec)
	if rec.Content == "" && !rec.Kind.Changes() {
		return rec, ErrEmpty
	}
	return rec, nil
}

// reopen is Writer.Reopen for a person.
func (e *Engine) reopen(ctx context.Context, ref string) (Receipt, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	s, b, err := e.knowQueue(ctx)
	if err != nil {
		return Receipt{}, err
	}
	n, _ := strings.CutPrefix(strings.TrimPrefix(ref, "#"), "p")
	id, err := strconv.ParseInt(n, 10, 64)
	if err != nil || b.Get(id) == nil {
		return Receipt{}, fmt.Errorf("%s: no such proposal", ref)
	}
	rests := review.RestsOf(s)
	if b.Status(id, rests) == review.Pending {
		return Receipt{}, fmt.Errorf("%s: it waits; there is nothing to take back", ref)
	}
	r, err := e.write(ctx, func(s *memory.State) ([]memory.Record, error) {
		var recs []memory.Record
		for _, line := range review.Wrote(s, id) {
			recs = append(recs, memory.Record{Kind: memory.KindUndo, Target: line})
		}
		return recs, nil
	})
	if err != nil {
		return r, err
	}
	err = e.queue.Append(ctx, func(b *review.Queue) (review.Draft, error) {
		if d := b.Answer(id); d != nil {
			return review.Draft{Undos: []*review.Undo{{Target: d.ID}}, Above: rests.Most()}, nil
		}
		return review.Draft{}, nil
	})
	if err != nil {
		err = &QueueError{err}
	}
	return r, err
}
