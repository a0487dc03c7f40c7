package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// ErrQuit is returned by a command to leave the shell.
var ErrQuit = errors.New("quit")

// again is within how long a second Ctrl-C leaves the shell.
const again = 2 * time.Second

// A Program is what the shell runs.
type Program interface {
	// Prompt is what stands before the line that is typed.
	Prompt() string
	// Command runs a line that began with ":", which is cut off. ErrQuit
	// leaves the shell; other errors are reported by Command itself.
	Command(ctx context.Context, line string) error
	// Say answers a line that is no command. Errors as for Command.
	Say(ctx context.Context, line string) error
	// IsCommand reports whether word names a command.
	IsCommand(word string) bool
}

// Run reads lines and runs them until the input ends, a command quits, or ctx
// ends, whose cause it then returns.
func Run(ctx context.Context, t *Terminal, p Program, now func() time.Time) error {
	var interrupted time.Time
	for {
		text, err := t.ReadLine(ctx, p.Prompt())
		switch {
		case errors.Is(err, ErrInterrupted):
			if at := now(); at.Sub(interrupted) < again {
				fmt.Fprintln(t.Err)
				return nil
			}
			interrupted = now()
			fmt.Fprintln(t.Err, "\n(Ctrl-C again, Ctrl-D or :quit to leave)")
			continue
		case errors.Is(err, io.EOF):
			if t.Asks {
				fmt.Fprintln(t.Err)
			}
			return nil
		case errors.Is(err, ErrTooLong):
			fmt.Fprintf(t.Err, "ken: error: %v; it was not sent\n", err)
			continue
		case err != nil:
			return err
		}
		interrupted = time.Time{}
		err = runLine(ctx, t, p, text)
		if errors.Is(err, ErrQuit) {
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}

// runLine runs one line under a context of its own, which Ctrl-C ends.
func runLine(ctx context.Context, t *Terminal, p Program, text string) error {
	do, rest := dispatch(text, p.IsCommand)
	if do == nothing {
		return nil
	}
	if do == shell {
		fmt.Fprintln(t.Err, "[ken] running commands from here is not built yet; the line was not sent anywhere")
		return nil
	}
	ctx, stop := t.Interruptible(ctx)
	defer stop()
	if do == command {
		return p.Command(ctx, rest)
	}
	return p.Say(ctx, rest)
}

// what a line asks for.
type deed int

const (
	nothing deed = iota
	command      // rest is the command without its sigil
	shell        // rest is a command line for the shell
	say          // rest is for the model
)

// dispatch decides from the line alone what it asks for. isCommand decides for
// "/word" and for the bare words that act, so that a path or a sentence is
// never taken for a command.
func dispatch(text string, isCommand func(string) bool) (deed, string) {
	text = strings.TrimSpace(text)
	word, _, _ := strings.Cut(text, " ")
	switch {
	case text == "":
		return nothing, ""
	case text[0] == ':':
		return command, strings.TrimSpace(text[1:])
	case text[0] == '$':
		return shell, strings.TrimSpace(text[1:])
	case text[0] == '/' && isCommand(word[1:]):
		return command, text[1:]
	}
	switch text {
	case "exit", "quit":
		return command, "quit"
	case "help", "clear":
		return command, text
	}
	return say, text
}
