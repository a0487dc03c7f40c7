package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"ken/internal/repl"
)

// confirm asks a question whose default is no. Questions go to the terminal,
// whatever standard input is; without one nothing is allowed.
func (a *app) confirm(ctx context.Context, question string) (bool, error) {
	if a.shell != nil {
		return a.shell.term.Confirm(ctx, question)
	}
	tty, err := openTerminal()
	if err != nil {
		return false, repl.ErrNoTerminal
	}
	ok, err := (&repl.Terminal{In: tty, Out: tty, Err: tty, Asks: true}).Confirm(ctx, question)
	return ok, errors.Join(err, tty.Close())
}

// asks reports whether a person is there to be asked.
func (a *app) asks() bool {
	if a.shell != nil {
		return a.shell.term.Asks
	}
	tty, err := openTerminal()
	if err != nil {
		return false
	}
	return tty.Close() == nil
}

// openTerminal opens the terminal that this process was started from.
func openTerminal() (*os.File, error) { return os.OpenFile("/dev/tty", os.O_RDWR, 0) }

// editText lets a person change a text in their editor. An editor that fails
// or leaves nothing changes nothing.
func (a *app) editText(ctx context.Context, text string) (string, error) {
	if !a.asks() {
		return "", (&exitError{code: exitRefused, err: errors.New("no terminal for an editor")}).
			hint("give the new text: %s", a.verb("memory edit REF TEXT"))
	}
	editor := a.env.Getenv("VISUAL")
	if editor == "" {
		editor = a.env.Getenv("EDITOR")
	}
	if editor == "" {
		editor = "vi"
	}
	f, err := os.CreateTemp("", "ken-edit-*.txt") // mode 0600
	if err != nil {
		return "", fmt.Errorf("edit: %w", err)
	}
	defer func() { _ = os.Remove(f.Name()) }() // it is in the system's place for such files
	_, err = f.WriteString(text + "\n")
	if err = errors.Join(err, f.Close()); err != nil {
		return "", fmt.Errorf("edit: %w", err)
	}
	// EDITOR may hold arguments, and is a line for the shell everywhere else.
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", editor+` "$1"`, "sh", f.Name())
	cmd.Stdin, cmd.Stdout, cmd.Stderr = a.env.Stdin, a.env.Stdout, a.env.Stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("editor %s: %w", editor, err)
	}
	b, err := os.ReadFile(f.Name())
	if err != nil {
		return "", fmt.Errorf("edit: %w", err)
	}
	return strings.TrimRight(string(b), "\n"), nil
}
