package upkeep

import (
	"context"
	"errors"
	"fmt"

	"ken/internal/fault"
	"ken/internal/jsonl"
	"ken/internal/lifecycle"
	"ken/internal/memory"
	"ken/internal/upkeep/page"
)

// sweep does what is due by itself. It asks before the first sweep, if that is more than a
// handful, and before one that is most of what is in use; it notes in one line what it did.
func (u *Upkeep) sweep(ctx context.Context) { u.byItself(ctx, lifecycle.Plan.Due) }

// prune does what memory.prune_older_than_days asks for, if it does.
func (u *Upkeep) prune(ctx context.Context) {
	cfg, err := u.home.Settings.Read()
	if err != nil || cfg.Memory.PruneOlderThanDays == 0 {
		return
	}
	u.byItself(ctx, func(p lifecycle.Plan) []lifecycle.Action {
		var forget []lifecycle.Action
		for _, x := range p.Due() {
			if x.Do == lifecycle.Forget {
				forget = append(forget, x)
			}
		}
		return forget
	})
}

func (u *Upkeep) byItself(ctx context.Context, choose func(lifecycle.Plan) []lifecycle.Action) {
	cfg, err := u.home.Settings.Read()
	if err != nil || !cfg.Memory.Hygiene.Auto || !u.home.Settings.MemoryOn() || !u.byPerson() {
		return
	}
	defer func() {
		if bug := recover(); bug != nil {
			u.home.Warn(fault.Once(fmt.Errorf("memory hygiene: %v", bug))) // a bug in it must not cost the conversation
		}
	}()
	person := ctx
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), page.Patience)
	defer cancel()
	if err := u.hygiene(ctx, person, choose); err != nil {
		switch {
		case errors.Is(err, jsonl.ErrBusy):
			err = memory.ErrBusy
		case errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, memory.ErrBusy): // nobody was in the way
			err = fmt.Errorf("it took longer than %v; there is another day", page.Patience)
		}
		u.home.Warn(fault.Once(fmt.Errorf("memory hygiene was left out: %w", err)))
	}
}

// hygiene carries out what choose picks of the policy in force. person is the context
// of a question to them, who may take their time.
func (u *Upkeep) hygiene(ctx, person context.Context, choose func(lifecycle.Plan) []lifecycle.Action) error {
	r, err := u.home.Settings.Policies().Named("")
	if err != nil {
		return err
	}
	if n := len(r.Faults); n > 0 {
		return fault.Failuref("the policy %s: %s", r.Policy.Name, r.Faults[0]).
			WithHint("see all of it: %s", fault.Command("memory tidy policy check "+r.Policy.Name))
	}
	if err := u.see(ctx); err != nil {
		return err
	}
	s, err := u.home.Memory.State(ctx)
	if err != nil {
		return err
	}
	due, doubt := u.Plan(s, r.Policy).ByItself(choose)
	if doubt != "" { // it is the person's to begin
		what := Summary(due) + ", " + string(doubt)
		yes := u.begin(person, "hygiene would "+what)
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(person), page.Patience) // they may have thought about it
		defer cancel()
		if !yes {
			u.home.Notef("hygiene would %s, and waits for you: %s", what, fault.Command("memory tidy hygiene"))
			return page.Renew(ctx, u.home, false)
		}
	} else {
		all := choose
		choose = func(p lifecycle.Plan) []lifecycle.Action { // as it stands under the lock
			some, doubt := p.ByItself(all)
			if doubt != "" {
				return nil // somebody else changed it meanwhile; there is another day
			}
			return some
		}
	}
	var done []Applied
	if len(due) > 0 {
		if done, err = u.Apply(ctx, r.Policy, lifecycle.ByPolicy+r.Policy.Name, choose); err != nil {
			return err
		}
	}
	if len(done) > 0 {
		var lines []string
		for _, d := range done {
			lines = append(lines, d.Lines...)
		}
		u.home.Notef("%s; undo: %s", u.sentence(done), Undo(lines))
	}
	return page.Renew(ctx, u.home, len(done) > 0)
}

// see notes which lines of the own log are seen for the first time: a file that somebody
// put in place begins to age now.
func (u *Upkeep) see(ctx context.Context) error {
	s, err := u.home.Memory.State(ctx)
	if err != nil {
		return err
	}
	first := u.home.Uses.FirstSeen()
	var refs []string
	for _, it := range s.With(memory.StatusActive) {
		if it.ID.Log == "" && first(it.Ref()).IsZero() {
			refs = append(refs, it.Ref())
		}
	}
	u.home.Uses.See(ctx, refs...)
	return nil
}
