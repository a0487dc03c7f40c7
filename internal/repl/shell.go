package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"ken/internal/termsafe"
)

// ErrQuit is returned by a command to leave the shell.
var ErrQuit = errors.New("quit")

// again is within how long a second Ctrl-C leaves the shell.
const again = 2 * time.Second

// A Program is what the shell runs.
type Program interface {
	// Prompt is what stands before the line that is typed.
	Prompt() string
	// LineContext is what lines are distinguished by.
	LineContext() LineContext
	// Do does what a line asks for, as Dispatch understood it: a Command, an
	// Exec or a Say. ErrQuit leaves the shell; other errors end it, and what
	// a person is only to see is printed by Do itself. Ctrl-C ends ctx, but for
	// Exec, where it is left to who runs the command line.
	Do(ctx context.Context, intent Intent, text string) error
}

// Run reads lines and runs them until the input ends, a line quits or fails, or
// ctx ends, whose cause it then returns.
func Run(ctx context.Context, t *Terminal, p Program, now func() time.Time) error {
	var interrupted time.Time
	for {
		text, err := t.ReadLine(ctx, p.Prompt())
		switch {
		case errors.Is(err, ErrInterrupted):
			t.EndLine()
			if text != "" { // it was the line that was not meant
				interrupted = time.Time{}
				continue
			}
			if at := now(); at.Sub(interrupted) < again {
				return nil
			}
			interrupted = now()
			t.say("", "(Ctrl-C again, Ctrl-D or :quit to leave)")
			continue
		case errors.Is(err, io.EOF):
			if t.Asks {
				t.EndLine()
			}
			return nil
		case errors.Is(err, ErrTooLong):
			t.say("ken: error: ", fmt.Sprintf("%v; it was not sent", err))
			continue
		case err != nil:
			return err
		}
		interrupted = time.Time{}
		if t.takeAnswer(text) {
			if text != "" {
				t.say("ken: warning: ", fmt.Sprintf("%q answers a question that nobody could be asked; it is passed over", termsafe.Line(text)))
			}
			continue
		}
		err = runLine(ctx, t, p, text)
		if errors.Is(err, ErrQuit) {
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			return err
		}
	}
}

// runLine runs one line.
func runLine(ctx context.Context, t *Terminal, p Program, line string) error {
	intent, text := Dispatch(line, p.LineContext())
	switch intent {
	case Nothing:
		return nil
	case Exec:
		return p.Do(ctx, intent, text)
	}
	ctx, stop := t.Interruptible(ctx)
	defer stop()
	return p.Do(ctx, intent, text)
}
