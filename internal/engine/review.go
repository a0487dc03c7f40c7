package engine

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"ken/internal/memory"
	"ken/internal/review"
)

// A Waiting is one thing that a person is to decide: a proposal of the queue, or a
// line that stands in a log already and that no human act has let in.
type Waiting struct {
	// Ref names it: "p7" for a proposal, else the reference of the line.
	Ref string
	// Proposal is what would be written. For a line of a log its ID is 0.
	Proposal *review.Proposal
	// Log is the name of the log that others write too, as a repository's, in which
	// the line stands, and By the act by which the person let that log in; else "".
	Log, By string
	line    memory.ID
}

// Proposal references are written with this letter.
const proposalMark = "p"

// Queue returns what waits, oldest first, what was put off at the end; and what
// was refused, the newest answer first. problems are lines of the queue's file
// that cannot be read.
func (e *Engine) Queue(ctx context.Context) (pending, refused []Waiting, problems []review.Problem, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	s, err := e.knowQueue(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	b, err := e.queue.Read()
	if err != nil {
		return nil, nil, nil, err
	}
	m := e.reviewed(s)
	for _, p := range b.Pending(m) {
		pending = append(pending, ofProposal(p))
	}
	for _, p := range b.Refused(m) {
		refused = append(refused, ofProposal(p))
	}
	return append(e.waitingLines(s), pending...), refused, b.Problems(), nil
}

func ofProposal(p *review.Proposal) Waiting {
	return Waiting{Ref: proposalMark + strconv.FormatInt(p.ID, 10), Proposal: p}
}

// waitingLines are the lines of logs that wait. Of a log that others can write to
// only rules: it is let in as a whole or not at all, but for those.
func (e *Engine) waitingLines(s *memory.State) []Waiting {
	var list []Waiting
	for _, f := range e.logs {
		for i := range f.entries {
			r := f.entries[i].Record
			if r == nil || f.entries[i].Meta != nil {
				continue
			}
			limited := f.ceiling.Rank() > 0
			id := r.ID.In(f.name).From(s.OwnLog())
			if r.Kind.Changes() {
				if ch, ok := s.Line(id); limited || !ok || !ch.Waits || ch.Undone || r.Kind == memory.KindErased {
					continue
				}
			} else if it, status := s.Get(id); status != memory.StatusWaiting || it.Line != f.entries[i].Line || limited && r.Kind != memory.KindRule {
				continue
			}
			w := Waiting{Ref: id.String(), Proposal: e.ofLine(s, id, r), line: id}
			if limited {
				w.Log, w.By = f.name, f.by
			}
			list = append(list, w)
		}
	}
	return list
}

// ofLine is what a line that waits would be as a proposal. The text of an item is
// the one that it has now.
func (e *Engine) ofLine(s *memory.State, id memory.ID, r *memory.Record) *review.Proposal {
	p := &review.Proposal{Time: r.Time, Of: review.OfMemory, Record: *r, Source: r.Source}
	switch {
	case r.Kind.Changes():
		p.Of = review.OfChange
		p.Record.Target = r.Target.In(id.In(s.OwnLog()).Log).From(s.OwnLog())
	default:
		it, _ := s.Get(id)
		p.Record, p.Source = *it.Record, it.Record.Source
		p.Record.Origin = it.Origin
		if r.Kind == memory.KindRule {
			p.Of = review.OfRule
		}
	}
	p.Record.ID, p.Record.By, p.Record.Review = memory.ID{}, "", 0
	p.Hash = review.Hash(&p.Record)
	return p
}

// An Answer is what a person says to something that waits. The fields that are
// not nil replace what was proposed; what the person changes does not change where
// the rest came from.
type Answer struct {
	Verdict review.Verdict
	Content *string
	Kind    *memory.Kind
	Scope   *memory.Scope // empty means user
}

var (
	// ErrDecided says that somebody has answered already.
	ErrDecided = errors.New("it was answered already")
	// ErrNotWaiting says that a reference names nothing that waits.
	ErrNotWaiting = errors.New("nothing of that name waits")
)

// A QueueError says that the memory holds what was decided, and that the queue
// does not know of it. Nothing is lost: the memory's line counts.
type QueueError struct{ Err error }

func (e *QueueError) Error() string {
	return "the decision is kept, but not noted in the queue: " + e.Err.Error()
}

func (e *QueueError) Unwrap() error { return e.Err }

// Decide answers what waits under ref. A yes appends to the memory what was
// proposed, by the person's own act; only then the queue is told. The receipt names
// the lines that the memory got, if any.
//
// Errors: ErrNotWaiting, ErrDecided, ErrNoQueue, those of Remember and Edit, or
// what the files say; then nothing was written, unless it is a *QueueError.
func (e *Engine) Decide(ctx context.Context, ref string, a Answer) (Receipt, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	s, err := e.knowQueue(ctx)
	if err != nil {
		return Receipt{}, err
	}
	w, err := e.find(s, ref)
	if err != nil {
		return Receipt{}, err
	}
	switch a.Verdict {
	case review.Yes:
		return e.accept(ctx, w, a)
	case review.No:
		return e.refuse(ctx, w)
	case review.Later:
		return Receipt{}, e.note(ctx, w, &review.Decision{Verdict: review.Later, By: byUser})
	}
	return Receipt{}, fmt.Errorf("decide %s: no verdict %q", ref, a.Verdict)
}

// byUser is the By of a decision that the person made.
const byUser = "user"

// find returns what waits under ref.
func (e *Engine) find(s *memory.State, ref string) (Waiting, error) {
	ref = strings.TrimPrefix(ref, "#")
	if n, ok := strings.CutPrefix(ref, proposalMark); ok {
		id, err := strconv.ParseInt(n, 10, 64)
		if err != nil {
			return Waiting{}, fmt.Errorf("%s: %w", ref, ErrNotWaiting)
		}
		b, err := e.queue.Read()
		if err != nil {
			return Waiting{}, err
		}
		p := b.Get(id)
		if p == nil {
			return Waiting{}, fmt.Errorf("%s: %w", ref, ErrNotWaiting)
		}
		if status := b.Status(id, e.reviewed(s)); status != review.Pending {
			return Waiting{}, fmt.Errorf("%s: %w (%s)", ref, ErrDecided, status)
		}
		return ofProposal(p), nil
	}
	id, err := memory.ParseID(ref)
	if err != nil {
		return Waiting{}, err
	}
	id = id.From(s.OwnLog())
	for _, w := range e.waitingLines(s) {
		if w.line == id {
			return w, nil
		}
	}
	return Waiting{}, fmt.Errorf("%s: %w", ref, ErrNotWaiting)
}

// accept writes what waits, and tells the queue.
func (e *Engine) accept(ctx context.Context, w Waiting, a Answer) (Receipt, error) {
	rec, err := e.answered(w.Proposal, a)
	if err != nil {
		return Receipt{}, err
	}
	r, err := e.writeAfter(ctx, func(s *memory.State, later []memory.Entry) ([]memory.Record, error) {
		if !w.line.IsZero() {
			return e.letIn(s, w, rec)
		}
		// Under the lock, so that two who answer at once write one line.
		if _, counts := e.reviewed(s, later...).Reviewed(w.Proposal.ID); counts {
			return nil, fmt.Errorf("%s: %w (accepted)", w.Ref, ErrDecided)
		}
		if err := checkTargets(s, &rec); err != nil {
			return nil, err
		}
		return []memory.Record{rec}, nil
	})
	if err != nil || w.Proposal.ID == 0 {
		return r, err
	}
	d := &review.Decision{Verdict: review.Yes, By: byUser}
	for _, id := range r.IDs {
		d.Wrote = append(d.Wrote, id.String())
	}
	if err := e.note(ctx, w, d); err != nil {
		return r, &QueueError{err}
	}
	return r, nil
}

// letIn writes a line that waits once more, by the person's act, and takes the
// waiting one back: its text, its origin and what it changed stay what they were.
func (e *Engine) letIn(s *memory.State, w Waiting, rec memory.Record) ([]memory.Record, error) {
	ch, ok := s.Line(w.line)
	if !ok || ch.Undone || !rec.Kind.Changes() && s.Status(w.line) != memory.StatusWaiting {
		return nil, fmt.Errorf("%s: %w", w.Ref, ErrDecided)
	}
	if err := checkTargets(s, &rec); err != nil {
		return nil, err
	}
	if !rec.Kind.Changes() {
		d := rec.Details()
		d.Supersedes = append(d.Supersedes[:len(d.Supersedes):len(d.Supersedes)], w.line)
		rec.Detail = &d
	}
	return []memory.Record{rec, {Kind: memory.KindUndo, Target: w.line}}, nil
}

// checkTargets refuses a change of what does not stand any more.
func checkTargets(s *memory.State, rec *memory.Record) error {
	if !rec.Kind.Changes() {
		return nil
	}
	for _, id := range append([]memory.ID{rec.Target}, rec.Details().Targets...) {
		if !id.IsZero() && !stands(s, id) {
			return notActive(id)
		}
	}
	return nil
}

// answered is what a yes writes.
func (e *Engine) answered(p *review.Proposal, a Answer) (memory.Record, error) {
	rec := p.Record
	rec.By, rec.Review, rec.Source = byUser, p.ID, p.Source
	if a.Kind != nil && !rec.Kind.Changes() {
		kind, subtype := memory.ParseKind(string(*a.Kind))
		if kind.Changes() || !kind.Known() {
			return rec, &KindError{*a.Kind}
		}
		d := rec.Details()
		rec.Kind, d.Subtype = kind, subtype
		rec.Detail = &d
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
		rec.Content = text
	}
	return rec, nil
}

// refuse takes a line back, and notes the no.
func (e *Engine) refuse(ctx context.Context, w Waiting) (r Receipt, err error) {
	if !w.line.IsZero() {
		r, err = e.write(ctx, func(s *memory.State) ([]memory.Record, error) {
			if ch, ok := s.Line(w.line); !ok || ch.Undone {
				return nil, fmt.Errorf("%s: %w", w.Ref, ErrDecided)
			}
			return []memory.Record{{Kind: memory.KindUndo, Target: w.line}}, nil
		})
		if err != nil {
			return r, err
		}
	}
	err = e.note(ctx, w, &review.Decision{Verdict: review.No, By: byUser})
	if err != nil && !w.line.IsZero() {
		err = &QueueError{err}
	}
	return r, err
}

// note appends a decision. What a line of a log says is proposed with it, so that
// it is known again.
func (e *Engine) note(ctx context.Context, w Waiting, d *review.Decision) error {
	m := e.reviewed(e.fold())
	return e.queue.Append(ctx, func(b *review.Book) (review.Draft, error) {
		draft := review.Draft{Decisions: []*review.Decision{d}}
		d.Target = w.Proposal.ID
		switch {
		case !w.line.IsZero() && d.Verdict == review.Later:
			return review.Draft{}, nil // it waits where it stands
		case !w.line.IsZero():
			d.Proposal = w.Proposal
			draft.Proposals = []*review.Proposal{w.Proposal}
		case d.Verdict != review.Yes && b.Status(d.Target, m) != review.Pending:
			return review.Draft{}, fmt.Errorf("%s: %w", w.Ref, ErrDecided)
		}
		return draft, nil
	})
}

// Reopen takes back what was answered to a proposal: the lines that a yes wrote
// are undone, and it waits again. Of a line of a log, undo does that.
func (e *Engine) Reopen(ctx context.Context, ref string) (Receipt, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	s, err := e.knowQueue(ctx)
	if err != nil {
		return Receipt{}, err
	}
	b, err := e.queue.Read()
	if err != nil {
		return Receipt{}, err
	}
	n, _ := strings.CutPrefix(strings.TrimPrefix(ref, "#"), proposalMark)
	id, err := strconv.ParseInt(n, 10, 64)
	if err != nil || b.Get(id) == nil {
		return Receipt{}, fmt.Errorf("%s: no such proposal", ref)
	}
	if b.Status(id, e.reviewed(s)) == review.Pending {
		return Receipt{}, fmt.Errorf("%s: it waits; there is nothing to take back", ref)
	}
	r, err := e.write(ctx, func(s *memory.State) ([]memory.Record, error) {
		var recs []memory.Record
		for _, line := range e.wrote(s, id) {
			recs = append(recs, memory.Record{Kind: memory.KindUndo, Target: line})
		}
		return recs, nil
	})
	if err != nil {
		return r, err
	}
	err = e.queue.Append(ctx, func(b *review.Book) (review.Draft, error) {
		if d := b.Answer(id); d != nil {
			return review.Draft{Undos: []*review.Undo{{Target: d.ID}}}, nil
		}
		return review.Draft{}, nil
	})
	if err != nil {
		err = &QueueError{err}
	}
	return r, err
}

// wrote are the lines that rest on the proposal and count.
func (e *Engine) wrote(s *memory.State, proposal int64) []memory.ID {
	var list []memory.ID
	for id, r := range e.resting(s, nil) {
		if ch, ok := s.Line(id); r.Review == proposal && ok && !ch.Undone {
			list = append(list, id)
		}
	}
	return list
}
