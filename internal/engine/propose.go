package engine

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"ken/internal/memory"
	"ken/internal/review"
	"ken/internal/termsafe"
)

// A Suggestion is something that a model, a tool, an import or a plan would have
// the memory hold.
type Suggestion struct {
	// Record is what would be written; its id, time, by and review are ignored.
	// Its Origin is the least trusted of all that fed it.
	Record memory.Record
	Of     review.Of // empty: by the kind of the record
	Why    string    // for the person who decides, in a line
}

// A Proposed says what became of a Suggestion.
type Proposed struct {
	ID  int64 // of the proposal, new or not; 0 if there is none
	New bool
	// Known says why it was not proposed: it waits already (pending), the person
	// said yes or no to it (accepted, refused), or a line of the memory says it,
	// in force or not (remembered). Empty if New.
	Known string
}

// Remembered is the Known of a text that the memory holds, or once held.
const Remembered = "remembered"

// ErrNoQueue says that this engine has no review queue.
var ErrNoQueue = errors.New("there is no review queue here")

// Propose puts what list suggests into the review queue: nothing of it is memory
// before a person says so. Texts are cleaned, and secrets in them masked. What is
// known already is not proposed again.
//
// Errors: *KindError, ErrEmpty, one that wraps ErrNotActive for a change of what
// does not stand, ErrNoQueue, or what the files say; then nothing was written.
func (e *Engine) Propose(ctx context.Context, list ...Suggestion) ([]Proposed, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	s, err := e.knowQueue(ctx)
	if err != nil {
		return nil, err
	}
	drafts := make([]*review.Proposal, len(list))
	for i := range list {
		if drafts[i], err = e.draft(s, &list[i]); err != nil {
			return nil, err
		}
	}
	said := e.said(s)
	out := make([]Proposed, len(list))
	err = e.queue.Append(ctx, func(b *review.Book) (review.Draft, error) {
		var d review.Draft
		mine := make(map[string]int) // by hash: the first of list that says it
		for i, p := range drafts {
			same, names := b.Same(&p.Record), review.Known(&p.Record)
			twice := slices.IndexFunc(names, func(h string) bool { _, ok := mine[h]; return ok })
			switch {
			case twice >= 0:
				out[i] = Proposed{ID: int64(-mine[names[twice]] - 1), Known: string(review.Pending)}
			case same != nil:
				out[i] = Proposed{ID: same.ID, Known: string(b.Status(same.ID, e.reviewed(s)))}
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

// knowQueue is the state, for who needs the queue.
func (e *Engine) knowQueue(ctx context.Context) (*memory.State, error) {
	if e.queue == nil {
		return nil, ErrNoQueue
	}
	if _, err := e.catchUp(ctx); err != nil {
		return nil, err
	}
	return e.fold(), nil
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
		for _, id := range append([]memory.ID{rec.Target}, d.Targets...) {
			if !id.IsZero() && !stands(s, id) {
				return nil, notActive(id)
			}
		}
		if rec.Target.IsZero() && len(d.Targets) == 0 {
			return nil, fmt.Errorf("propose: a %s of nothing", kind)
		}
	case strings.TrimSpace(termsafe.Clean(rec.Content)) == "":
		return nil, ErrEmpty
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
	rec.Content = e.text(rec.Content)
	rec.Key, rec.Tags = e.label(rec.Key), e.tags(rec.Tags)
	d.Reason, d.Unless, d.Extra = e.label(d.Reason), e.label(d.Unless), nil
	for i, word := range d.Match {
		d.Match[i] = e.label(word)
	}
	rec.Detail = &d
	if len(rec.Content) > memory.MaxContent {
		return nil, fmt.Errorf("propose: the text has %d bytes: a memory holds %d at most", len(rec.Content), memory.MaxContent)
	}
	p := &review.Proposal{Of: of, Record: rec, Source: rec.Source, Why: e.label(g.Why)}
	p.Hash = review.Hash(&p.Record)
	return p, nil
}

// text is a text of somebody else as it may be stored: clean, and masked.
func (e *Engine) text(text string) string {
	text = strings.TrimSpace(termsafe.Clean(text))
	if e.mask != nil && text != "" {
		text, _ = e.mask(text)
	}
	return text
}

// said are the hashes of all that lines of the memory say, or said before they
// were forgotten or replaced. A line that was taken back says nothing.
func (e *Engine) said(s *memory.State) map[string]bool {
	hashes := make(map[string]bool)
	for _, f := range e.logs {
		for i := range f.entries {
			r := f.entries[i].Record
			if r == nil || r.Content == "" || f.ceiling.Rank() > 0 {
				continue
			}
			if ch, ok := s.Line(r.ID.In(f.name).From(s.OwnLog())); ok && !ch.Undone {
				hashes[review.Hash(r)] = true
				bare := *r // it is remembered, by whatever key
				bare.Key = ""
				hashes[review.Hash(&bare)] = true
			}
		}
	}
	return hashes
}

// reviewed tells which proposals the lines of the memory name, those of later, at
// the end of the own log, among them.
func (e *Engine) reviewed(s *memory.State, later ...memory.Entry) review.Memory {
	m := make(lines)
	for id, r := range e.resting(s, later) {
		ch, ok := s.Line(id)
		m[r.Review] = m[r.Review] || ok && !ch.Undone
	}
	return m
}

// resting yields the lines that rest on a decision. In a log that others can write
// to none does, whatever it says.
func (e *Engine) resting(s *memory.State, later []memory.Entry) iter.Seq2[memory.ID, *memory.Record] {
	return func(yield func(memory.ID, *memory.Record) bool) {
		for i, f := range e.logs {
			if f.ceiling.Rank() > 0 {
				continue
			}
			entries := f.entries
			if i == 0 {
				entries = slices.Concat(entries, later)
			}
			for _, entry := range entries {
				r := entry.Record
				if r != nil && r.Review != 0 && !yield(r.ID.In(f.name).From(s.OwnLog()), r) {
					return
				}
			}
		}
	}
}

// lines says for each proposal that lines of the memory name whether one of them
// counts.
type lines map[int64]bool

// Reviewed implements review.Memory.
func (m lines) Reviewed(id int64) (named, counts bool) {
	counts, named = m[id]
	return named, counts
}
