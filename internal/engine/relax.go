package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ken/internal/fault"
	"ken/internal/memory"
	"ken/internal/rules"
)

// Relaxing is the Known of a suggestion that would relax a rule: it was not proposed.
const Relaxing = "relaxes"

// A RelaxError says that a write would relax what rules hold: it takes a rule away, narrows
// one, or puts something in its place. Nothing was written. It wraps a *RefusedError.
type RelaxError struct {
	Actor      Actor
	Difference rules.Difference
	Old, New   rules.Set
	// Never says that it is a suggestion: no yes to it relaxes a rule. The person does
	// that by an act of their own.
	Never bool
	// Vetoed says that the person was asked, and did not say that they mean it.
	Vetoed bool
}

// Refs are the rules that would hold less.
func (e *RelaxError) Refs() []string {
	var refs []string
	for _, c := range e.Difference.Changes {
		if c.Effect == rules.Relaxes {
			refs = append(refs, c.Old.Ref())
		}
	}
	return refs
}

func (e *RelaxError) Error() string {
	var names []string
	for _, c := range e.Difference.Changes {
		if c.Effect == rules.Relaxes && len(names) < 4 {
			names = append(names, c.Old.Name())
		}
	}
	if n := len(e.Refs()); n > len(names) {
		names = append(names, fmt.Sprintf("%d more", n-len(names)))
	}
	text := "it would relax " + strings.Join(names, ", ")
	switch {
	case e.Never:
		return text + ": a suggestion never does that"
	case e.Vetoed:
		return text + ", and you did not say that you mean it"
	}
	return text + ": only a person does that, asked at a terminal"
}

// Hint returns the next step.
func (e *RelaxError) Hint() string {
	if e.Never {
		return "to do it all the same, at a terminal: forget or edit the rule yourself"
	}
	return "at a terminal of your own you are shown what it comes to, and asked"
}

func (e *RelaxError) Unwrap() error {
	return fault.New(fault.Refused, &RefusedError{Actor: e.Actor, What: string(relaxes)}).WithHint("%s", e.Hint())
}

// A RulesChange is what was done to the set of rules: a change that was written, or that the person vetoed.
type RulesChange struct {
	Actor      Actor
	Difference rules.Difference
	Set        rules.Set   // as it is after it
	Lines      []memory.ID // that made it; none if it was vetoed
	Vetoed     bool
}

// override is the context key of what a person said that they mean: which set of rules may replace
// which. Only this package can set it.
type override struct{}

// by is the context key of the actor who writes, for those who are notified.
type by struct{}

// signed is ctx for what the actor writes.
func (w *Writer) signed(ctx context.Context) context.Context {
	return context.WithValue(ctx, by{}, w.who)
}

// tellRules reports a durable change of the set of rules.
func (e *Engine) tellRules(ctx context.Context, c *RulesChange, lines []memory.ID) {
	if c == nil || e.ruled == nil {
		return
	}
	c.Actor, _ = ctx.Value(by{}).(Actor)
	c.Lines = lines
	e.ruled(ctx, *c)
}

// meant names the step from one set to another.
func meant(old, now rules.Set) string { return old.Sum() + now.Sum() }

// relaxing carries out what a person asks for. If that would relax a rule, it first shows them what
// it comes to, and goes on only if they say that they mean it. It asks nobody else.
func (w *Writer) relaxing(ctx context.Context, do func(context.Context) error) error {
	const most = 3 // the set may have become another meanwhile
	ctx = w.signed(ctx)
	for range most {
		err := do(ctx)
		var r *RelaxError
		if !errors.As(err, &r) || r.Never {
			return err
		}
		r.Actor = w.who
		if w.relax == nil || w.who.Kind != Person {
			return err
		}
		means, asked := w.relax(ctx, r)
		if !asked {
			return err
		}
		if !means {
			r.Vetoed = true
			if w.ruled != nil {
				w.ruled(ctx, RulesChange{Actor: w.who, Difference: r.Difference, Set: r.Old, Vetoed: true})
			}
			return err
		}
		ctx = context.WithValue(ctx, override{}, meant(r.Old, r.New))
	}
	return do(ctx)
}

// guard says what lines would make of the set of rules: nil for nothing. What relaxes it is
// a *RelaxError, unless the person said that they mean just that.
func (e *Engine) guard(ctx context.Context, s *memory.State, recs []memory.Record) (*RulesChange, error) {
	if !slices.ContainsFunc(recs, func(r memory.Record) bool { return rules.MayChange(s, &r) }) {
		return nil, nil
	}
	old := rules.Of(s)
	now := rules.Next(s, old, e.now(), recs)
	d := rules.Between(old, now)
	if d.Empty() {
		return nil, nil
	}
	if d.Effect == rules.Relaxes && ctx.Value(override{}) != meant(old, now) {
		return nil, &RelaxError{Difference: d, Old: old, New: now}
	}
	return &RulesChange{Difference: d, Set: now}, nil
}

// neverRelaxes refuses a record that would relax a rule, if others suggested it. It takes the
// record as a yes of the person would write it, behind the records of the same yes.
func (e *Engine) neverRelaxes(ctx context.Context, s *memory.State, rec *memory.Record, with ...memory.Record) error {
	let := Kept(s, *rec)
	if !rules.MayChange(s, &let) {
		return nil
	}
	_, err := e.guard(ctx, s, append(with[:len(with):len(with)], let))
	var r *RelaxError
	if errors.As(err, &r) {
		r.Never = rec.Origin.Rank() > 0
	}
	return err
}

// erasing refuses an erasing that would relax a rule.
func (e *Engine) erasing(ctx context.Context, s *memory.State, ids []memory.ID) (*RulesChange, error) {
	recs := make([]memory.Record, len(ids))
	for i, id := range ids {
		recs[i] = memory.Record{Kind: memory.KindErased, Target: id}
	}
	return e.guard(ctx, s, recs)
}

// ReturnTo brings back the rules of a version, if the set in force is still seen; see
// rules.ReturnTo. It is for a person, who is asked first if it relaxes a rule.
//
// Errors: *RefusedError, *RelaxError, ErrMoved, those of rules.ReturnTo, or those of the log. Then
// nothing was written.
func (w *Writer) ReturnTo(ctx context.Context, version int, seen rules.Set) (Receipt, error) {
	if w.may(undoes) != writing {
		return Receipt{}, w.refused(undoes)
	}
	return w.does(ctx, true, func(ctx context.Context) (Receipt, error) {
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.write(ctx, func(s *memory.State) ([]memory.Record, error) {
			if !rules.Of(s).Same(seen) {
				return nil, ErrMoved
			}
			back, err := rules.ReturnTo(s, version, w.now())
			return back.Lines, err
		})
	})
}

// ErrMoved says that the rules in force are not those that the person saw.
var ErrMoved = errors.New("the rules were changed meanwhile: nothing was done")
