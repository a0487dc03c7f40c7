package term

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"ken/internal/home"
	"ken/internal/repl"
	"ken/internal/termsafe"
	"ken/internal/wrap"
)

// Key asks a question that one key answers, as repl.Key does: no key that was pressed
// before the question stood there answers it. What was typed before is the next line's
// in the shell. Without a person the error is repl.ErrNoTerminal.
func (p *Person) Key(ctx context.Context, question, keys string) (rune, error) {
	tty, done, err := p.terminal()
	if err != nil {
		return 0, err
	}
	defer done()
	if p.ascii() {
		question = termsafe.ASCII(question)
	}
	if p.shell() != nil {
		defer p.shell().Terminal().Aside()()
	}
	key, ahead, err := repl.Key(ctx, tty, wrap.Question(tty, question), keys)
	if p.shell() == nil {
		return key, err
	}
	if e, ok := p.shell().Terminal().Editor.(interface{ Ahead([]byte) }); ok && len(ahead) > 0 && key != 'q' {
		e.Ahead(ahead)
	}
	return key, err
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
	t := &repl.Terminal{}
	if p.shell() != nil {
		t = p.shell().Terminal()
	} else {
		tty, err := openTerminal()
		if err != nil {
			return "", repl.ErrNoTerminal
		}
		defer func() { _ = tty.Close() }() // nothing is lost with it
		t.In, t.Out, t.Err, t.Asks, t.ASCII = tty, tty, tty, true, p.ascii()
	}
	line, err := t.AskFrom(ctx, question, begin)
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

// agrees asks a question of ken's own that y or n answers, where a person is who sees it.
func (p *Person) agrees(ctx context.Context, question string) home.Answer {
	if !p.canAsk() {
		return home.Nobody
	}
	switch key, err := p.Key(ctx, question, "yn"); {
	case errors.Is(err, repl.ErrNoTerminal):
		return home.Nobody
	case err == nil && key == 'y':
		return home.Yes
	case err == nil && key == 'n':
		return home.No
	}
	return home.Left
}

// NoTerminal reports whether an error says that there is no person to ask.
func NoTerminal(err error) bool { return errors.Is(err, repl.ErrNoTerminal) }

// Interrupted reports whether an error says that the person broke off what they were asked.
func Interrupted(err error) bool { return errors.Is(err, repl.ErrInterrupted) }
