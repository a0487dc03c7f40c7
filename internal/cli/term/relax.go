package term

import (
	"context"
	"io"
	"strings"

	"ken/internal/engine"
	"ken/internal/repl"
	"ken/internal/wrap"
)

// relaxWord is what a person types who means to relax a rule. A key is not enough.
const relaxWord = "relax"

// relax asks the person whether they mean to relax a rule, once they were shown what that
// comes to. It is asked of a person who types at a terminal, and of nobody else: neither
// where what is typed comes from a file or a program, nor in the lane of a model.
func (a *Run) relax(ctx context.Context, e *engine.RelaxError) (means, asked bool) {
	if a.Relaxing == nil || !a.Person.types() {
		return false, false
	}
	lines := a.Relaxing(ctx, e)
	err := a.Person.OnTerminal(func(t *repl.Terminal) error {
		for _, line := range lines {
			if _, err := io.WriteString(t.Err, wrap.Note(t.Err, "", line)+"\n"); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return false, false
	}
	line, err := a.Person.AskLine(ctx, "type "+relaxWord+" if you mean it; anything else leaves the rules as they are > ")
	if err != nil {
		return false, false
	}
	return strings.EqualFold(line, relaxWord), true
}

// types reports whether a person types at a terminal, and nothing else is what ken reads.
func (p *Person) types() bool {
	if p.lane.In() {
		return false
	}
	if p.shell() != nil {
		return p.shell().Terminal().Asks
	}
	return IsTerminal(p.env.Stdin) && p.Present()
}
