package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ken/internal/memory"
	"ken/internal/review"
	"ken/internal/termsafe"
)

// A Suggestion is what a model, a tool, an import or a plan proposes for the memory.
type Suggestion struct {
	// Record is what would be written; its id, time, by and review are ignored.
	// Its Origin is the least trusted of all that fed it.
	Record memory.Record
	Of     review.Of // empty: by the kind of the record
	Why    string    // for the person who decides, in a line
}

// A Proposed is the result of a Suggestion.
type Proposed struct {
	ID  int64 // of the proposal, new or not; 0 if there is none
	New bool
	// Known says why it was not proposed. It waits already (pending), the person said yes or no to
	// it (accepted, refused), a line of the memory says it, in force or not (remembered), or it
	// would relax a rule, which no suggestion does (relaxes). It is empty if New is set.
	Known string
}

// Remembered is the Known of a text that the memory holds, or once held.
const Remembered = "remembered"

// ErrNoQueue says that this engine has no review queue.
var ErrNoQueue = errors.New("there is no review queue here")

// propose is Writer.Propose.
func (e *Engine) propose(ctx context.Context, list []Suggestion) ([]Proposed, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.queue == nil {
		return nil, ErrNoQueue
	}
	_, err := e.catchUp(ctx)
	if err != nil {
		return nil, err
	}
	s := e.fold()
	drafts := make([]*review.Proposal, len(list))
	for i := range list {
		if drafts[i], err = e.draft(s, &list[i]); err != nil {
			return nil, err
		}
	}
	relaxes := make([]bool, len(drafts))
	for i, p := range drafts {
		var r *RelaxError
		if err := e.neverRelaxes(ctx, s, &p.Record); errors.As(err, &r) {
			relaxes[i] = true
		}
	}
	said, rests := review.Said(s), review.RestsOf(s)
	out := make([]Proposed, len(list))
	err = e.queue.Append(ctx, func(b *review.Queue) (review.Draft, error) {
		d := review.Draft{Above: rests.Most()}
		mine := make(map[string]int) // by hash: the first of list that says it
		for i, p := range drafts {
			same, names := b.Same(&p.Record), review.Known(&p.Record)
			twice := slices.IndexFunc(names, func(h string) bool { _, ok := mine[h]; return ok })
			switch {
			case relaxes[i]:
				out[i] = Proposed{Known: Relaxing}
			case twice >= 0:
				out[i] = Proposed{ID: int64(-mine[names[twice]] - 1), Known: string(review.Pending)}
			case same != nil:
				out[i] = Proposed{ID: same.ID, Known: string(b.Status(same.ID, rests))}
			case slices.ContainsFunc(names, func(h string) bool { return said[h] }):
				out[i] = Proposed{Known: Remembered}
			default:
				mine[p.Hash], out[i] = i, Proposed{New: true}
				d.Proposals = append(d.Proposals, p)
			}
		}
		return d, nil
	})
	if err != nil {
		return nil, err
	}
	for i := range out {
		if out[i].New {
			out[i].ID = drafts[i].ID
		} else if out[i].ID < 0 {
			out[i].ID = drafts[-out[i].ID-1].ID
		}
	}
	return out, nil
}

// knowQueue returns the state and the queue.
func (e *Engine) knowQueue(ctx context.Context) (*memory.State, *review.Queue, error) {
	if e.queue == nil {
		return nil, nil, ErrNoQueue
	}
	if _, err := e.catchUp(ctx); err != nil {
		return nil, nil, err
	}
	b, err := e.queue.Read()
	return e.fold(), b, err
}

// draft checks, cleans and masks a suggestion.
func (e *Engine) draft(s *memory.State, g *Suggestion) (*review.Proposal, error) {
	rec := g.Record
	rec.By, rec.Review = "", 0
	kind, subtype := memory.ParseKind(string(rec.Kind))
	if kind == "" {
		kind = memory.KindFact
	}
	d := rec.Details()
	if rec.Kind = kind; subtype != "" {
		d.Subtype = subtype
	}
	of := g.Of
	switch {
	case !kind.Known():
		return nil, &KindError{rec.Kind}
	case kind.Changes():
		if !review.Suggested(kind) {
			return nil, &KindError{rec.Kind}
		}
		if err := checkTargets(s, &rec); err != nil {
			return nil, err
		}
		if rec.Target.IsZero() && len(d.Targets) == 0 {
			return nil, fmt.Errorf("propose: a %s of nothing", kind)
		}
	case strings.TrimSpace(termsafe.Clean(rec.Content)) == "":
		return nil, ErrEmpty
	}
	for _, id := range d.Supersedes {
		if !stands(s, id) {
			return nil, notActive(id)
		}
	}
	if of == "" {
		switch {
		case kind.Changes():
			of = review.OfChange
		case kind == memory.KindRule:
			of = review.OfRule
		default:
			of = review.OfMemory
		}
	}
	if err := checkScope(rec.Scope); err != nil {
		return nil, err
	}
	d.Extra = nil
	rec.Detail = &d
	e.tidy(&rec)
	if len(rec.Content) > memory.MaxContent {
		return nil, fmt.Errorf("propose: the text has %d bytes: a memory holds %d at most", len(rec.Content), memory.MaxContent)
	}
	p := &review.Proposal{Of: of, Record: rec, Source: rec.Source, Why: e.label(g.Why)}
	p.Hash = review.Hash(&p.Record)
	return p, nil
}

// tidy makes the texts of a record that somebody else wrote such as may be stored.
func (e *Engine) tidy(rec *memory.Record) {
	rec.Content = e.text(rec.Content)
	rec.Key, rec.Tags, rec.Source = e.label(rec.Key), e.tags(rec.Tags), e.source(rec.Source)
	rec.Kind, rec.Origin = memory.Kind(termsafe.Line(string(rec.Kind))), memory.Origin(termsafe.Line(string(rec.Origin)))
	d := rec.Details()
	d.Reason, d.Unless, d.Match = e.label(d.Reason), e.label(d.Unless), slices.Clone(d.Match)
	for i, word := range d.Match {
		d.Match[i] = e.label(word)
	}
	rec.Detail = &d
}

// text is a text of somebody else as it may be stored: clean, and masked.
func (e *Engine) text(text string) string {
	text = strings.TrimSpace(termsafe.Clean(text))
	if e.mask != nil && text != "" {
		text, _ = e.mask(text)
	}
	return text
}
