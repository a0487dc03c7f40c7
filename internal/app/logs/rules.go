package logs

import (
	"context"
	"fmt"

	"ken/internal/audit"
	"ken/internal/engine"
	"ken/internal/memory"
)

// The acts of the account that are about rules.
const (
	ActRules = "rules" // the set was changed
	ActVeto  = "veto"  // the person was asked whether they mean to relax it, and did not say so
)

// NoteRules writes to the account that the set of rules was changed, or that the person
// vetoed a change: by references, and the sealed sum of the set. What is added is "+4", what
// is taken away "-4", what is changed "~4".
func (l *Logs) NoteRules(ctx context.Context, r engine.RulesChange, seal *memory.Seal) error {
	p := l.Paths()
	e := audit.Entry{Act: ActRules, By: "user", How: string(r.Difference.Effect), Hash: seal.Hash(r.Set.Sum())}
	if o := r.Actor.Origin(); o != "" {
		e.By = string(o)
	}
	if r.Actor.Kind == engine.Policy {
		e.By = "policy:" + r.Actor.Name
	}
	if r.Vetoed {
		e.Act = ActVeto
	}
	for _, c := range r.Difference.Changes {
		e.Refs = append(e.Refs, c.Sign()+c.Rule().Ref())
	}
	for _, id := range r.Lines {
		e.Lines = append(e.Lines, id.String())
	}
	if err := (audit.Log{Path: p.Audit(), Dir: p.Data, Now: l.Now}).Append(ctx, e); err != nil {
		return fmt.Errorf("the account does not know of this change of the rules: %w", err)
	}
	return nil
}
