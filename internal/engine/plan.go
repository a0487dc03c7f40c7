package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"ken/internal/lifecycle"
	"ken/internal/memory"
	"ken/internal/rules"
)

// ErrNeedsReview says that a policy would make a memory more settled by itself.
var ErrNeedsReview = errors.New("only a person makes a memory more settled")

// applyPlan is Writer.ApplyPlan; by is whom all lines must name, or "" if they may name anyone.
func (e *Engine) applyPlan(ctx context.Context, by string, plan func(*memory.State) []memory.Record) (Receipt, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.write(ctx, func(s *memory.State) ([]memory.Record, error) {
		recs := plan(s)
		if by != "" {
			recs = e.keepingRules(ctx, s, recs)
		}
		for i := range recs {
			rec := &recs[i]
			switch rec.Kind {
			case memory.KindTier, memory.KindPhase, memory.KindForget:
			default:
				return nil, &KindError{rec.Kind}
			}
			if by != "" && rec.By != by {
				return nil, fmt.Errorf("by %q: %w", rec.By, ErrNeedsReview)
			}
			if err := checkTargets(s, rec); err != nil {
				return nil, err
			}
			if rec.Kind == memory.KindPhase && rec.By != "user" {
				if err := settlesLess(s, rec); err != nil {
					return nil, err
				}
			}
			e.tidy(rec)
		}
		return recs, nil
	})
}

// settlesLess refuses a line that no person let in and that makes an item more
// settled.
func settlesLess(s *memory.State, rec *memory.Record) error {
	if !strings.HasPrefix(rec.By, lifecycle.ByPolicy) {
		return fmt.Errorf("by %q: %w", rec.By, ErrNeedsReview)
	}
	d := rec.Details()
	for _, id := range append([]memory.ID{rec.Target}, d.Targets...) {
		if it, _ := s.Get(id); it.Record != nil && lifecycle.Raises(it.Phase, d.Phase) {
			return fmt.Errorf("%s to %s: %w", id, d.Phase, ErrNeedsReview)
		}
	}
	return nil
}

// keepingRules returns the lines of a plan that relax no rule; a policy does not relax one. If
// several lines relax a rule only together, as when two rules say the same, the first ones stay.
func (e *Engine) keepingRules(ctx context.Context, s *memory.State, recs []memory.Record) []memory.Record {
	if _, err := e.guard(ctx, s, recs); err == nil {
		return recs
	}
	kept := make([]memory.Record, 0, len(recs))
	for _, r := range recs {
		with := append(kept, r)
		if rules.MayChange(s, &r) {
			if _, err := e.guard(ctx, s, with); err != nil {
				continue
			}
		}
		kept = with
	}
	return kept
}
