package run

import (
	"context"
	"errors"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/repl/clipboard"
)

// copyTime is how long a program may take to copy a text.
const copyTime = 5 * time.Second

// Copy puts a text on the person's clipboard and says by what. what names it, as in "the answer".
func Copy(ctx context.Context, a *term.Run, text, what string) error {
	cfg, err := a.Home.Settings.Read()
	if err != nil {
		return err
	}
	b := clipboard.Board{OS: runtime.GOOS, Getenv: a.Env.Getenv, Find: a.Process.FindProgram, Run: feed(a), Screen: a.Env.Stderr}
	by, err := b.Copy(ctx, text, clipboard.Way(cfg.UI.Clipboard))
	switch {
	case errors.Is(err, clipboard.ErrOff):
		return fault.Failuref("nothing was copied: %w", err).WithHint("%s", fault.Command("config set ui.clipboard auto"))
	case errors.Is(err, clipboard.ErrTooLong):
		return fault.Failuref("nothing was copied: %s has %d bytes: %w", what, len(text), err).
			WithHint("a block of it: :copy N; into a file: :save-block")
	case err != nil:
		return fault.Failuref("nothing was copied: %w", err).
			WithHint("install wl-copy, xclip or xsel; or into a file: :save-block")
	case by == "the terminal": // which does not say what it did
		a.Status("copied %s (%d bytes), if your terminal lets programs do so", what, len(text))
	default:
		a.Status("copied %s (%d bytes) by %s", what, len(text), by)
	}
	return nil
}

// feed runs a program with a text as its input. One that goes on in the background, as those of X
// do, is not waited for.
func feed(a *term.Run) func(context.Context, []string, string) error {
	return func(ctx context.Context, argv []string, input string) error {
		ctx, cancel := context.WithTimeout(ctx, copyTime)
		defer cancel()
		cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
		cmd.Stdin, cmd.Dir, cmd.WaitDelay = strings.NewReader(input), a.Env.Dir, time.Second
		if a.Env.Environ != nil {
			cmd.Env = a.Env.Environ()
		}
		return cmd.Run()
	}
}
