package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"ken/internal/repl"
)

// Confirm asks a question whose default is no. Questions go to the terminal,
// whatever standard input is; without one nothing is allowed.
func (a *App) Confirm(ctx context.Context, question string) (bool, error) {
	if a.Shell != nil {
		return a.Shell.Terminal().Confirm(ctx, question)
	}
	tty, err := openTerminal()
	if err != nil {
		return false, repl.ErrNoTerminal
	}
	ok, err := (&repl.Terminal{In: tty, Out: tty, Err: tty, Asks: true}).Confirm(ctx, question)
	return ok, errors.Join(err, tty.Close())
}

// Asks reports whether a person is there to be asked.
func (a *App) Asks() bool {
	if a.Shell != nil {
		return a.Shell.Terminal().Asks
	}
	tty, err := openTerminal()
	if err != nil {
		return false
	}
	return tty.Close() == nil
}

// AskLine asks for a line of text, without the space around it. Without a person
// the error is repl.ErrNoTerminal; with Ctrl-C or Ctrl-D it is
// repl.ErrInterrupted.
func (a *App) AskLine(ctx context.Context, question string) (string, error) {
	t := &repl.Terminal{}
	if a.Shell != nil {
		t = a.Shell.Terminal()
	} else {
		tty, err := openTerminal()
		if err != nil {
			return "", repl.ErrNoTerminal
		}
		defer tty.Close()
		t = &repl.Terminal{In: tty, Out: tty, Err: tty, Asks: true}
	}
	if !t.Asks {
		return "", repl.ErrNoTerminal
	}
	line, err := t.ReadLine(ctx, question)
	if errors.Is(err, io.EOF) {
		err = repl.ErrInterrupted
	}
	return strings.TrimSpace(line), err
}

// openTerminal opens the terminal that this process was started from.
func openTerminal() (*os.File, error) { return os.OpenFile("/dev/tty", os.O_RDWR, 0) }

// EditText lets a person change a text in their editor: VISUAL, else EDITOR,
// else vi. An editor that fails is an error; without a person to use it the
// answer is a refusal.
func (a *App) EditText(ctx context.Context, text string) (string, error) {
	if !a.Asks() {
		return "", Fail(ExitRefused, errors.New("no terminal for an editor")).
			Hint("give the new text: %s", a.Verb("memory edit REF TEXT"))
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
	if err := a.EditFile(ctx, f.Name()); err != nil {
		return "", err
	}
	b, err := os.ReadFile(f.Name())
	if err != nil {
		return "", fmt.Errorf("edit: %w", err)
	}
	return strings.TrimRight(string(b), "\n"), nil
}

// Editor is the person's editor: a line of the shell, with a file name behind
// it.
func (a *App) Editor() string {
	return cmp.Or(a.Env.Getenv("VISUAL"), a.Env.Getenv("EDITOR"), "vi")
}

// EditFile opens a file in the person's editor and waits until it is closed.
func (a *App) EditFile(ctx context.Context, path string) error {
	// EDITOR may hold arguments, and is a line for the shell everywhere else.
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", a.Editor()+` "$1"`, "sh", path)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = a.Env.Stdin, a.Env.Stdout, a.Env.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("editor %s: %w", a.Editor(), err)
	}
	return nil
}
