package term

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"ken/internal/engine"
	"ken/internal/home"
	"ken/internal/memory"
	"ken/internal/repl"
	"ken/internal/termsafe"
)

// Origin is where what this run writes comes from: the person, unless KEN_ORIGIN
// says that ken runs in the lane of a model or a tool. Whoever could set it could
// also write the files; it is there so that honest tools are what they are. A
// value that is no origin counts as the least trusted one.
func (a *Run) Origin() memory.Origin {
	name := strings.TrimSpace(a.Env.Getenv("KEN_ORIGIN"))
	switch o := memory.Origin(termsafe.Line(name)); {
	case name == "" || o == memory.OriginUser:
		return ""
	case o.Rank() <= memory.OriginExternal.Rank():
		return o
	}
	return memory.OriginExternal
}

// Actor is who writes by way of this run.
func (a *Run) Actor() engine.Actor {
	if a.Shell != nil {
		return engine.ActorOf(a.Origin(), "shell")
	}
	return engine.ActorOf(a.Origin(), "cli")
}

// Key asks a question that one key answers, as repl.Key does: no key that was pressed
// before the question stood there answers it. What was typed before is the next line's
// in the shell. Without a person the error is repl.ErrNoTerminal.
func (a *Run) Key(ctx context.Context, question, keys string) (rune, error) {
	tty, done, err := a.terminal()
	if err != nil {
		return 0, err
	}
	defer done()
	key, ahead, err := repl.Key(ctx, tty, question, keys)
	if a.Shell == nil {
		return key, err
	}
	if e, ok := a.Shell.Terminal().Editor.(interface{ Ahead([]byte) }); ok && len(ahead) > 0 && key != 'q' {
		e.Ahead(ahead)
	}
	return key, err
}

// terminal is where questions are asked, as a file.
func (a *Run) terminal() (tty *os.File, done func(), err error) {
	if a.Shell != nil {
		t := a.Shell.Terminal()
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
func (a *Run) AskLine(ctx context.Context, question string) (string, error) {
	return a.AskText(ctx, question, "")
}

// AskText is AskLine for an answer that begins with a text, which the person changes.
func (a *Run) AskText(ctx context.Context, question, begin string) (string, error) {
	t := &repl.Terminal{}
	if a.Shell != nil {
		t = a.Shell.Terminal()
	} else {
		tty, err := openTerminal()
		if err != nil {
			return "", repl.ErrNoTerminal
		}
		defer func() { _ = tty.Close() }() // nothing is lost with it
		t.In, t.Out, t.Err, t.Asks = tty, tty, tty, true
	}
	line, err := t.AskFrom(ctx, question, begin)
	if errors.Is(err, repl.ErrInterrupted) || errors.Is(err, io.EOF) {
		return "", nil
	}
	return strings.TrimSpace(line), err
}

// canAsk reports whether a person is there who sees a question that ken asks of its own
// accord, and means to answer: a script on their terminal is not stopped by one.
func (a *Run) canAsk() bool {
	if a.InLane() {
		return false
	}
	if a.Shell != nil {
		return a.Shell.Terminal().Asks
	}
	return IsTerminal(a.Env.Stdin) && IsTerminal(a.Env.Stderr) && a.Asks()
}

// agrees asks a question of ken's own that y or n answers, where a person is who sees it.
func (a *Run) agrees(ctx context.Context, question string) home.Answer {
	if !a.canAsk() {
		return home.Nobody
	}
	switch key, err := a.Key(ctx, question, "yn"); {
	case errors.Is(err, repl.ErrNoTerminal):
		return home.Nobody
	case err == nil && key == 'y':
		return home.Yes
	case err == nil && key == 'n':
		return home.No
	}
	return home.Left
}
