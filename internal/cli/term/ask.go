package term

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"ken/internal/fault"
	"ken/internal/repl"
)

// Confirm asks a question whose default is no. Questions go to the terminal,
// whatever standard input is; without one nothing is allowed.
func (a *Run) Confirm(ctx context.Context, question string) (bool, error) {
	ok := false
	err := a.OnTerminal(func(t *repl.Terminal) (err error) {
		ok, err = t.Confirm(ctx, question)
		return err
	})
	return ok, err
}

// OnTerminal does something where the person is. Without one the error is
// repl.ErrNoTerminal.
func (a *Run) OnTerminal(do func(*repl.Terminal) error) error {
	if a.Shell != nil {
		return do(a.Shell.Terminal())
	}
	tty, err := openTerminal()
	if err != nil {
		return repl.ErrNoTerminal
	}
	return errors.Join(do(&repl.Terminal{In: tty, Out: tty, Err: tty, Asks: true}), tty.Close())
}

// Asks reports whether a person is there to be asked.
func (a *Run) Asks() bool {
	if a.Shell != nil {
		return a.Shell.Terminal().Asks
	}
	tty, err := openTerminal()
	if err != nil {
		return false
	}
	return tty.Close() == nil
}

// openTerminal opens the terminal that this process was started from.
func openTerminal() (*os.File, error) { return os.OpenFile("/dev/tty", os.O_RDWR, 0) }

// EditText lets a person change a text in their editor: VISUAL, else EDITOR,
// else vi. An editor that fails is an error; without a person to use it the
// answer is a refusal.
func (a *Run) EditText(ctx context.Context, text string) (string, error) {
	if !a.Asks() {
		return "", fault.New(fault.Refused, errors.New("no terminal for an editor")).
			WithHint("give the new text: %s", fault.Command("memory edit REF TEXT"))
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

// EditFile opens a file in the person's editor, and waits until it is closed.
func (a *Run) EditFile(ctx context.Context, path string) error {
	editor := cmp.Or(a.Env.Getenv("VISUAL"), a.Env.Getenv("EDITOR"), "vi")
	// EDITOR may hold arguments, and is a line for the shell everywhere else.
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", editor+` "$1"`, "sh", path)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = a.Env.Stdin, a.Env.Stdout, a.Env.Stderr
	back := a.Lend()
	err := cmd.Run()
	back()
	if err != nil {
		return fmt.Errorf("editor %s: %w", editor, err)
	}
	return nil
}

// FindProgram is the path of the program that a command line would start by that
// name.
func (a *Run) FindProgram(name string) (string, error) { return exec.LookPath(name) }
