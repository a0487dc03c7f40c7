package term

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"ken/internal/ask"
	"ken/internal/repl"
)

// Put asks a question of ken's where the person is: see package ask. Without a person the error is
// repl.ErrNoTerminal.
func (p *Person) Put(ctx context.Context, q ask.Question) (ask.Answer, error) {
	a, _, err := p.put(ctx, q)
	return a, err
}

func (p *Person) put(ctx context.Context, q ask.Question) (a ask.Answer, interrupted bool, err error) {
	err = p.OnTerminal(func(t *repl.Terminal) (err error) {
		a, interrupted, err = t.Put(ctx, q)
		return err
	})
	return a, interrupted, err
}

// Confirm asks a question that yes or no answers. Without a person the error is repl.ErrNoTerminal. Outside the shell
// Ctrl-C is repl.ErrInterrupted: it ends the command, as it does any program.
func (p *Person) Confirm(ctx context.Context, asks string) (bool, error) {
	a, interrupted, err := p.put(ctx, ask.Confirm(asks))
	if err == nil && interrupted && p.shell() == nil {
		if err = repl.ErrInterrupted; p.env.Interrupt != nil {
			p.env.Interrupt()
		}
	}
	return err == nil && a == ask.Yes, err
}

// terminal is where questions are asked, as a file.
func (p *Person) terminal() (tty *os.File, done func(), err error) {
	if p.shell() != nil {
		t := p.shell().Terminal()
		f, ok := t.In.(*os.File)
		if !t.Asks || !ok {
			return nil, nil, repl.ErrNoTerminal
		}
		return f, func() {}, nil
	}
	f, err := openTerminal()
	if err != nil {
		return nil, nil, repl.ErrNoTerminal
	}
	return f, func() { _ = f.Close() }, nil // nothing is lost with it
}

// AskLine asks a question that a line answers; an empty one where there is no
// answer, as after Ctrl-C.
func (p *Person) AskLine(ctx context.Context, question string) (string, error) {
	return p.AskText(ctx, question, "")
}

// AskText is AskLine for an answer that begins with a text, which the person changes.
func (p *Person) AskText(ctx context.Context, question, begin string) (string, error) {
	var line string
	err := p.OnTerminal(func(t *repl.Terminal) (err error) {
		line, err = t.AskFrom(ctx, question, begin)
		return err
	})
	if errors.Is(err, repl.ErrInterrupted) || errors.Is(err, io.EOF) {
		return "", nil
	}
	return strings.TrimSpace(line), err
}

// canAsk reports whether a person is there who sees a question that ken asks of its own
// accord, and means to answer: a script on their terminal is not stopped by one.
func (p *Person) canAsk() bool {
	if p.lane.In() {
		return false
	}
	if p.shell() != nil {
		return p.shell().Terminal().Asks
	}
	return IsTerminal(p.env.Stdin) && IsTerminal(p.env.Stderr) && p.Present()
}

// asked puts a question of ken's own, where a person is who sees it; "" is that there is none.
func (p *Person) asked(ctx context.Context, q ask.Question) ask.Answer {
	if !p.canAsk() {
		return ""
	}
	switch a, err := p.Put(ctx, q); {
	case errors.Is(err, repl.ErrNoTerminal):
		return ""
	case err == nil:
		return a
	}
	return ask.Stop
}

// NoTerminal reports whether an error says that there is no person to ask.
func NoTerminal(err error) bool { return errors.Is(err, repl.ErrNoTerminal) }

// Interrupted reports whether an error says that the person broke off what they were asked.
func Interrupted(err error) bool { return errors.Is(err, repl.ErrInterrupted) }
