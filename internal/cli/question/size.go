package question

import (
	"context"
	"fmt"
	"io/fs"
	"strings"

	"ken/internal/agent"
	"ken/internal/agent/turn"
	"ken/internal/ask"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/view"
)

// A Size is what a person said beforehand about questions that do not fit.
type Size struct {
	Cut   bool // the middle is left out
	Whole bool // all is sent
}

// Events adds to those of a turn what is said and asked of the size of its question.
func (s Size) Events(a *term.Run, q turn.Question, ev turn.Events) turn.Events {
	ev.Large = func(size agent.Size) {
		a.Status("this question is about %s, in a window of %s", view.Thousands(size.Tokens, "token"), view.Thousands(size.Window, "token"))
	}
	ev.Fits = func(ctx context.Context, size agent.Size) (whole bool, err error) {
		switch {
		case s.Whole:
			return true, nil
		case s.Cut:
			return false, nil
		case a.Lane.In() || !term.IsTerminal(a.Env.Stderr) || !a.Person.Present():
			return false, tooLarge(ctx, a, q, size)
		}
		fits := ask.Question{
			Asks: fmt.Sprintf("it does not fit: there is room for %s.\nsend it?", view.Thousands(size.Room, "token")), No: "do not send it",
			Choices: []ask.Choice{{Answer: ask.Yes, Says: "without its middle"}, {Answer: ask.All, Says: "of it"}},
		}
		if size.Refused {
			fits.Asks = fmt.Sprintf("the model has room for %s.\nsend it again?", view.Thousands(size.Room, "token"))
			fits.Choices = fits.Choices[:1]
		}
		said, err := a.Person.Put(ctx, fits)
		switch {
		case term.NoTerminal(err):
			return false, tooLarge(ctx, a, q, size)
		case err != nil:
			return false, err
		case said == ask.Yes, said == ask.All:
			return said == ask.All, nil
		}
		return false, notSent(ctx, a, q)
	}
	return ev
}

// tooLarge refuses a question where nobody can be asked.
func tooLarge(ctx context.Context, a *term.Run, q turn.Question, size agent.Size) error {
	kept(ctx, a, q)
	end := "not sent"
	if size.Refused {
		end = "its server refused it"
	}
	return fault.New(fault.Limit, fmt.Errorf("this question is about %s, and there is room for %s: %s",
		view.Thousands(size.Tokens, "token"), view.Thousands(size.Room, "token"), end)).
		WithHint("--cut leaves its middle out, --whole sends all; context_tokens of a model says how large its window is")
}

// notSent says that the person did not want a question sent, and how they have it again.
func notSent(ctx context.Context, a *term.Run, q turn.Question) error {
	kept(ctx, a, q)
	err := fault.Refusedf("not sent")
	if a.Shell != nil && a.Shell.Terminal().Editor != nil {
		return err.WithHint("Up brings the line back")
	}
	return err
}

// kept puts aside what was not sent and would be lost: what came through a pipe, and what was pasted
// where no line can be had again.
func kept(ctx context.Context, a *term.Run, q turn.Question) {
	if a.Shell == nil {
		piped := q.Typed == "" || strings.Contains(q.Text, "\n"+agent.StdinMark+"\n")
		if stat, err := a.Env.Stdin.Stat(); err != nil || stat.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) == 0 || !piped {
			return
		}
	} else if a.Shell.Terminal().Editor != nil || !a.Shell.Terminal().Asks {
		return
	}
	d, err := a.Person.Draft(ctx, "question.txt", []byte(a.Home.Keys.MaskText(q.Text)+"\n"))
	path := ""
	if err == nil {
		path, err = d.Keep()
	}
	if err != nil {
		a.Warn(fmt.Errorf("what was not sent is not kept: %w", err))
		return
	}
	a.Status("what was not sent is kept for a week in %s, its secrets masked", a.Home.Settings.Short(path))
}
