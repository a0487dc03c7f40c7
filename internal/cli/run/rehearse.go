package run

import (
	"context"
	"strings"

	"ken/internal/ask"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/gate"
	"ken/internal/risk"
	"ken/internal/runner"
	"ken/internal/termsafe"
	"ken/internal/tool/sandbox"
	"ken/internal/view/safety"
)

// Rehearsing is what rehearses lines, with the terminal of this run as the place where it is asked whether they are
// applied.
func Rehearsing(a *term.Run) *runner.Runner { return Runner(a).Asking(applier{a}) }

// An applier asks whether what was rehearsed is to be. It implements runner.Approver.
type applier struct{ app *term.Run }

func (x applier) Approve(ctx context.Context, q runner.Request) (gate.How, error) {
	a := x.app
	if !a.Person.Present() {
		return "", runner.ErrNobody
	}
	card := ShowOperation(a, "this would be changed by", q.Operation)
	question := ask.Question{
		Asks: "apply it?", No: "discard", Danger: q.Operation.Level == risk.Danger, Choices: []ask.Choice{{Answer: ask.Yes, Says: "apply"}},
	}
	if card.More() {
		question.Choices = append(question.Choices, ask.Choice{Answer: ask.More})
	}
	for {
		said, err := a.Person.Put(ctx, question)
		switch {
		case term.NoTerminal(err):
			return "", runner.ErrNobody
		case err != nil:
			return "", err
		case said == ask.More:
			card.All(ctx)
			continue
		case said == ask.Yes:
			return gate.HowOnce, nil
		}
		return gate.HowRefused, nil
	}
}

// ShowRehearsal says what a line would change, all of it a screen at a time where somebody is there to turn the page.
func ShowRehearsal(ctx context.Context, a *term.Run, x *runner.Rehearsal) {
	if x.Ran.Exit != 0 {
		a.Status("it ended with exit code %d", x.Ran.Exit)
	}
	if len(x.Found.Changes) == 0 {
		a.Status("nothing of the project would change")
		return
	}
	a.Status("it would change (%s):", x.Counts())
	if card := differenceOf(a, x.Whole()); card.More() && watches(a) {
		card.All(ctx)
		return
	}
	card := differenceOf(a, x.Text())
	card.write(card.rows)
}

// MayTry reports whether a line that is asked about may be tried first: what a person would otherwise have to guess.
func MayTry(level risk.Level) bool {
	return level == risk.Caution && sandbox.Here().Spaces && sandbox.Here().Most() != ""
}

// Try rehearses a line, says what it would change, and throws that away.
func Try(ctx context.Context, a *term.Run, line string) {
	x, err := Rehearsing(a).Rehearse(ctx, line, a.Env.Stderr)
	if err != nil {
		a.Report(err)
		return
	}
	ShowRehearsal(ctx, a, x)
	if err := x.Close(); err != nil {
		a.Warn(err)
	}
	a.Status("that was tried aside: nothing is changed")
}

// RehearsalOf is a rehearsal as it is sent.
func RehearsalOf(a *term.Run, x *runner.Rehearsal) safety.Rehearsal {
	r := safety.Rehearsal{
		Command: x.Line, Level: x.Level.String(), Exit: x.Ran.Exit, Bytes: x.Ran.Bytes, Output: x.Ran.Output, TimedOut: x.Ran.TimedOut,
		Changes: []safety.Change{}, Unfit: x.Found.Unfit,
	}
	for _, c := range x.Found.Changes {
		n := c.Is
		did := "changed"
		switch {
		case c.Made():
			did = "made"
		case c.Gone():
			n, did = c.Was, "removed"
		}
		r.Changes = append(r.Changes, safety.Change{
			Path: c.Name, Change: did, Was: string(c.Was.Form), Is: string(c.Is.Form), Size: n.Size, Added: c.Added, Removed: c.Removed,
			Diff: a.Home.Keys.MaskText(c.Diff), Unfit: c.Unfit,
		})
	}
	return r
}

// CommandOf is the command line of arguments, which has to be there.
func CommandOf(args []string, command fault.Command) (string, error) {
	if len(args) == 0 || strings.TrimSpace(args[0]) == "" {
		return "", fault.Usagef("%s what?", termsafe.Line(string(command))).WithHint("%s COMMAND", command)
	}
	return Joined(args)
}

// sayTry says that a line may be tried first, if it may.
func sayTry(a *term.Run, level risk.Level) {
	if MayTry(level) {
		a.Say("  ", "t tries it aside and shows what it would change")
	}
}
