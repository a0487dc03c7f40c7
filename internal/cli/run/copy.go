package run

import (
	"context"
	"errors"
	"runtime"

	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/repl/clipboard"
)

// Copy puts a text on the person's clipboard and says by what. what names it, as in "the answer".
func Copy(ctx context.Context, a *term.Run, text, what string) error {
	cfg, err := a.Home.Settings.Read()
	if err != nil {
		return err
	}
	b := clipboard.Board{OS: runtime.GOOS, Getenv: a.Env.Getenv, Find: a.Process.FindProgram, Run: a.Process.Feed, Screen: a.Env.Stderr}
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
