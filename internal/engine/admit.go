package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"ken/internal/memory"
	"ken/internal/review"
)

// ErrPolicy says that no policy can let something in: a rule, a change of what
// stands, or a text of others.
var ErrPolicy = errors.New("only a person decides on that")

// acceptByPolicy is Writer.AcceptByPolicy for the policy of that name.
func (e *Engine) acceptByPolicy(ctx context.Context, policy string, list []Suggestion) (Receipt, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	s, _, err := e.knowQueue(ctx)
	if err != nil {
		return Receipt{}, err
	}
	drafts := make([]*review.Proposal, len(list))
	for i := range list {
		if drafts[i], err = e.draft(s, &list[i]); err != nil {
			return Receipt{}, err
		}
		rec := &drafts[i].Record
		if drafts[i].Of != review.OfMemory || rec.Kind == memory.KindRule || rec.Origin.Rank() > memory.OriginModel.Rank() {
			return Receipt{}, fmt.Errorf("a %s of %s: %w", rec.Kind, rec.Origin.Lowest(""), ErrPolicy)
		}
	}
	r, err := e.write(ctx, func(s *memory.State) ([]memory.Record, error) {
		b, err := e.queue.Read()
		if err != nil {
			return nil, err
		}
		said := review.Said(s)
		var recs []memory.Record
		for _, p := range drafts {
			names := review.Known(&p.Record)
			if b.Same(&p.Record) != nil || slices.ContainsFunc(names, func(h string) bool { return said[h] }) {
				continue
			}
			for _, h := range names {
				said[h] = true
			}
			rec := p.Record
			rec.By = "policy:" + policy
			if _, err := e.guard(ctx, s, []memory.Record{rec}); err != nil {
				continue // it would take the place of a rule
			}
			recs = append(recs, rec)
		}
		if len(recs) == 0 {
			return nil, errNoLines
		}
		return recs, nil
	})
	if errors.Is(err, errNoLines) {
		return Receipt{}, nil
	}
	return r, err
}
