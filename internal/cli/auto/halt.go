package auto

import (
	"context"
	"fmt"
	"strings"

	"ken/internal/agent/auto"
	"ken/internal/ask"
	"ken/internal/cli/run"
	"ken/internal/cli/term"
	"ken/internal/gate"
	"ken/internal/risk"
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
	q := ask.Question{Asks: "do it?", No: "skip it", Danger: levelOf(h) == risk.Danger, Choices: []ask.Choice{
		{Answer: ask.Yes, Says: "do it"}, {Answer: ask.Why},
	}}
	if h.Request.Operation == nil && run.MayTry(h.Request.Decision.Level) {
		q.Choices = append(q.Choices, ask.Choice{Answer: ask.Try, Says: "try aside"})
	}
	if card.More() {
		q.Choices = append(q.Choices, ask.Choice{Answer: ask.More})
	}
	if d := h.Request.Operation; d != nil && h.Request.Session && d.Lasting != "" {
		q.Choices = append(q.Choices, ask.Choice{Answer: ask.Session, Says: "session (" + d.Lasting + ")"})
	}
	q.Choices = append(q.Choices, ask.Choice{Answer: ask.Stop, Says: "quit the run"})
	for {
		said, err := x.put(ctx, q)
		if err != nil {
			return auto.Said{}, err
		}
		switch said {
		case ask.More:
			card.All(ctx)
		case ask.Try:
			run.Try(ctx, a, h.Request.Line)
		case ask.Why:
			if h.Request.Operation != nil {
				a.Say("  ", h.Request.Operation.Because())
				continue
			}
			run.Why(ctx, a, h.Request.Decision)
		case ask.Yes:
			return auto.Said{Choice: auto.Proceed}, nil
		case ask.Session:
			return auto.Said{Choice: auto.Session}, nil
		case ask.No:
			return auto.Said{Choice: auto.Skip}, nil
		default:
			return auto.Said{}, nil
		}
	}
}

// levelOf is the level of an act at which a run halts.
func levelOf(h auto.Halt) risk.Level {
	if h.Request.Operation != nil {
		return h.Request.Operation.Level
	}
	return h.Request.Decision.Level
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
		answer, err := x.put(ctx, ask.Question{Asks: "work by this plan?", Choices: []ask.Choice{{Answer: ask.Yes}, {Answer: ask.Edit}}})
		switch {
		case err != nil:
			return auto.Said{}, err
		case answer == ask.Yes:
			return said, nil
		case answer != ask.Edit:
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
	said, err := x.put(ctx, ask.Question{Asks: "go on?", Enter: ask.Stop, Danger: levelOf(h) == risk.Danger, Choices: []ask.Choice{
		{Answer: ask.Yes, Says: "do this one"}, {Answer: ask.Edit, Says: "change the goal"}, {Answer: ask.Stop, Says: "quit the run"},
	}})
	if err != nil {
		return auto.Said{}, err
	}
	switch said {
	case ask.Yes:
		return auto.Said{Choice: auto.Proceed}, nil
	case ask.Edit:
		goal, err := a.Person.AskLine(ctx, "the goal is > ")
		return auto.Said{Choice: auto.Change, Words: strings.TrimSpace(goal)}, err
	}
	return auto.Said{}, nil
}

// put puts a question. The error is runner.ErrNobody where nobody can be asked.
func (x halting) put(ctx context.Context, q ask.Question) (ask.Answer, error) {
	said, err := x.app.Person.Put(ctx, q)
	if term.NoTerminal(err) {
		err = runner.ErrNobody
	}
	return said, err
}
