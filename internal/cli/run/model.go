package run

import (
	"context"
	"fmt"

	"ken/internal/cli/term"
	"ken/internal/gate"
	"ken/internal/runner"
	"ken/internal/view/safety"
)

// Runner is what runs lines that the person did not type, with the terminal of this run
// as the place where they are asked.
func Runner(a *term.Run) *runner.Runner {
	return runner.New(a.Home, runner.Ports{
		Dir: func() string { return a.Env.Dir }, Getenv: a.Env.Getenv, Environ: a.Env.Environ,
		FindProgram: a.Process.FindProgram, Approver: approver{a}, Approved: &a.Approved,
		Session: func() string {
			if src := a.Source(); src != nil {
				return src.Session
			}
			return ""
		},
		Met: func(r gate.Rule) { a.Say("[ken] ", fmt.Sprintf("%s: %s", r.Name(), r.Text)) },
	})
}

// An approver asks at the terminal. It implements runner.Approver.
type approver struct{ app *term.Run }

func (x approver) Approve(ctx context.Context, q runner.Request) (gate.How, error) {
	a := x.app
	if !a.Person.Present() {
		return "", runner.ErrNobody
	}
	if q.Operation != nil {
		return askOperation(ctx, a, q)
	}
	title := "the model wants to run"
	if q.Held != "" {
		title += ", in the sandbox (" + q.Held + ")"
	}
	card := Show(a, title, q.Line, q.Decision)
	how, _, err := askRun(ctx, a, q, question{outside: a.Shell == nil, card: card})
	if err == nil && how == "" { // Ctrl-C, or nobody is there any more
		err = &runner.Declined{Stopped: true}
	}
	return how, err
}

// AsModel runs a line as a model would have it run, and shows what it prints, or one JSON
// object about it. The error of a line that ran and failed is its exit code.
func AsModel(ctx context.Context, a *term.Run, line string, asJSON bool) error {
	live := a.Env.Stdout
	if asJSON {
		live = nil
	}
	r, err := Runner(a).RunModel(ctx, runner.Line{Text: line, Live: live})
	if err != nil {
		return err
	}
	if asJSON {
		err = a.PrintJSON(safety.ModelRun{
			Command: line, Lane: runner.LaneModel, Level: r.Level.String(), How: string(r.How),
			Exit: r.Exit, Bytes: r.Bytes, Output: r.Output, Truncated: r.Truncated, TimedOut: r.TimedOut,
			Sandbox: r.Sandbox,
		})
	}
	if err == nil && r.Exit != 0 {
		err = term.Reported(term.Exit(r.Exit, fmt.Errorf("exit code %d", r.Exit)))
	}
	return err
}
