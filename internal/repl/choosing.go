package repl

import (
	"context"
	"errors"
	"io"
	"os"

	"ken/internal/repl/choose"
)

// Choose has the person choose one of many: from a list that is drawn, if draws says
// that the terminal can do it and keys are free to be read; else from a numbered one,
// whose rows are cut to wide cells (0: no limit). Ctrl-C and an end of input are no
// choice. Without a person the error is ErrNoTerminal.
func (t *Terminal) Choose(ctx context.Context, o choose.Options, draws bool, wide int) (choose.Choice, error) {
	if !t.Asks {
		t.unasked = true
		return choose.Choice{}, ErrNoTerminal
	}
	o.ASCII = t.ASCII
	tty, ok := t.In.(*os.File)
	if ok && draws && (t.Editor != nil || t.reader == nil && t.Typed == nil) {
		c, err := t.pick(ctx, tty, o)
		if !errors.Is(err, choose.ErrUnable) {
			return c, err
		}
	}
	c, err := choose.Numbered(ctx, t.Err, t.Ask, o, wide)
	if errors.Is(err, ErrInterrupted) || errors.Is(err, io.EOF) {
		t.EndLine()
		return choose.Choice{}, nil
	}
	return c, err
}

// pick chooses from a list that is drawn.
func (t *Terminal) pick(ctx context.Context, tty *os.File, o choose.Options) (choose.Choice, error) {
	inner, stop := t.Interruptible(ctx) // Ctrl-C is a key there, but others can send the signal
	defer stop()
	c, err := choose.Pick(inner, tty, t.Err, o)
	if e, ok := t.Editor.(interface{ Ahead([]byte) }); ok && len(c.Ahead) > 0 {
		e.Ahead(c.Ahead)
	}
	if ctx.Err() == nil && (errors.Is(err, ErrInterrupted) || errors.Is(err, io.EOF)) {
		return choose.Choice{}, nil
	}
	return c, err
}
