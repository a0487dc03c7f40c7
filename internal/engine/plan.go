package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"ken/internal/lifecycle"
	"ken/internal/memory"
)

// ErrNeedsReview says that a policy would make a memory more settled by itself.
var ErrNeedsReview = errors.New("only a person makes a memory more settled")

// Carry appends the lines that plan makes of the memory as it stands under the log's
// lock, so that two who carry out the same plan at once do it once. plan must be
// pure, and may be called again; no lines are no fault, and nothing is written. A line
// puts items into a tier or phase, or forgets them, and says by whom: "policy:" and a
// name, or "user".
//
// Errors: *KindError for another line, ErrNeedsReview, one that wraps ErrNotActive,
// or what the log says; then nothing was written.
func (e *Engine) Carry(ctx context.Context, plan func(*memory.State) []memory.Record) (Receipt, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.write(ctx, func(s *memory.State) ([]memory.Record, error) {
		recs := plan(s)
		for i := range recs {
			rec := &recs[i]
			switch rec.Kind {
			case memory.KindTier, memory.KindPhase, memory.KindForget:
			default:
				return nil, &KindError{rec.Kind}
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
