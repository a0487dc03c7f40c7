package auto

import (
	"context"
	"fmt"
	"strings"

	"ken/internal/agent/auto"
	"ken/internal/cli/run"
	"ken/internal/cli/term"
	"ken/internal/gate"
	"ken/internal/runner"
	"ken/internal/termsafe"
)

// A halting asks what becomes of an act at which a run halts. It implements auto.Person.
type halting struct{ app *term.Run }

func (x halting) Halted(ctx context.Context, h auto.Halt) (auto.Said, error) {
	a := x.app
	if !a.Person.Present() {
		return auto.Said{}, runner.ErrNobody
	}
	if h.Escalates {
		return x.escalated(ctx, h)
	}
	var card *run.Card
	if h.Request.Operation != nil {
		card = run.ShowOperation(a, "halted: the model wants to", h.Request.Operation)
	} else {
		card = run.Show(a, fmt.Sprintf("halted: %s", h.Kind), h.Request.Line, h.Request.Decision)
	}
	for {
		text, keys := "[p]roceed  [s]kip  [?] why", "psa?"
		if h.Request.Operation == nil && run.MayTry(h.Request.Decision.Level) {
			text, keys = text+"  [t]ry aside", keys+"t"
		}
		if d := h.Request.Operation; d != nil && h.Request.Session && d.Lasting != "" {
			text, keys = text+"  s[e]ssion ("+d.Lasting+")", keys+"e"
		}
		if card.More() {
			text, keys = text+"  [m]ore", keys+"m"
		}
		key, err := x.key(ctx, text+"  [A]bort the run > ", keys)
		if err != nil {
			return auto.Said{}, err
		}
		switch key {
		case 'm':
			card.All(ctx)
			continue
		case 't':
			run.Try(ctx, a, h.Request.Line)
			continue
		case 'p':
			return auto.Said{Choice: auto.Proceed}, nil
		case 'e':
			return auto.Said{Choice: auto.Session}, nil
		case 's':
			return auto.Said{Choice: auto.Skip}, nil
		case '?':
			if h.Request.Operation != nil {
				a.Say("  ", h.Request.Operation.Because())
				continue
			}
			run.Why(ctx, a, h.Request.Decision)
			continue
		}
		return auto.Said{}, nil
	}
}

// Planned shows what each command of a plan could do, and asks about the plan. It implements auto.Person.
func (x halting) Planned(ctx context.Context, plan string) (auto.Said, error) {
	a, said := x.app, auto.Said{Choice: auto.Proceed}
	if !a.Person.Present() {
		return auto.Said{}, runner.ErrNobody
	}
	for {
		if err := run.ShowLevels(ctx, a, gate.Proposed(plan)); err != nil {
			return auto.Said{}, err
		}
		key, err := x.key(ctx, "work by this plan? [y]es  [e]dit it  [N]o > ", "yne")
		switch {
		case err != nil:
			return auto.Said{}, err
		case key == 'y':
			return said, nil
		case key != 'e':
			return auto.Said{}, nil
		}
		changed, err := a.Person.EditText(ctx, plan)
		if err != nil {
			a.Report(err)
			continue
		}
		if changed = strings.TrimSpace(termsafe.Clean(changed)); changed == "" {
			a.Status("empty: the plan stays as it was")
			continue
		}
		plan, said.Words = changed, changed
		a.Say("", termsafe.Clean(plan))
	}
}

// escalated asks whether a run has any sense whose acts are skipped one after another.
func (x halting) escalated(ctx context.Context, h auto.Halt) (auto.Said, error) {
	a := x.app
	a.Status("%d acts in a row were skipped, this one the last", h.Skipped)
	key, err := x.key(ctx, "[f]orce it: do this one  [c]hange the goal  [A]bort the run > ", "fca")
	if err != nil {
		return auto.Said{}, err
	}
	switch key {
	case 'f':
		return auto.Said{Choice: auto.Proceed}, nil
	case 'c':
		goal, err := a.Person.AskLine(ctx, "the goal is > ")
		return auto.Said{Choice: auto.Change, Words: strings.TrimSpace(goal)}, err
	}
	return auto.Said{}, nil
}

// key is the key that answers a question. The error is runner.ErrNobody where nobody can be asked.
func (x halting) key(ctx context.Context, question, keys string) (rune, error) {
	key, err := x.app.Person.Key(ctx, question, keys)
	if term.NoTerminal(err) {
		err = runner.ErrNobody
	}
	return key, err
}
