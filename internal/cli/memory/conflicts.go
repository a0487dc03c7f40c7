package memory

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/engine"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// asks reports whether the person typed the command where they can be asked: in
// the shell, or at a terminal from which the command reads. A loop that feeds
// lines to ken is not stopped by a question.
func asks(a *term.Run, asJSON bool) bool {
	if asJSON || a.Quiet() || a.Lane.Origin() != "" {
		return false
	}
	if a.Shell != nil {
		return a.Shell.Terminal().Asks
	}
	return term.IsTerminal(a.Env.Stdin) && term.IsTerminal(a.Env.Stderr) && a.Person.Present()
}

// askConflicts asks what to do where a memory says the same in other words, or hardly
// is true beside what is to be remembered. Enter keeps both: what was typed is not
// lost, nothing that was there is hidden, and either can be taken away afterwards.
// ok is false if nothing is to be remembered.
func askConflicts(a *term.Run, cmd *cobra.Command, e *engine.Engine, draft *engine.Draft) (ok bool, err error) {
	r, err := e.Preview(cmd.Context(), *draft)
	if err != nil || !r.Same.IsZero() {
		return err == nil, err
	}
	var b strings.Builder
	draft.Near = true
	for _, it := range r.Near {
		how := it.Relation.Says(it.Why)
		if how == "" {
			continue
		}
		draft.Near = false // printed here
		fmt.Fprintf(&b, "#%s: \"%s\": %s\n", it.Ref(), view.ExcerptSaid(a.Home.Keys.MaskText(it.Record.Content), 60),
			termsafe.Line(a.Home.Keys.MaskText(how)))
	}
	if draft.Near {
		return true, nil
	}
	a.Say("[ken] ", b.String())
	key, err := a.Person.Key(cmd.Context(), "[r]eplace, [k]eep both or [c]ancel? (Enter: keep both) ", "rkcq")
	switch {
	case err != nil:
		return false, err
	case key == 'c' || key == 'q':
		return false, nil
	case key == 'r':
		for _, it := range r.Near {
			if it.Relation.Says("") != "" {
				draft.Supersedes = append(draft.Supersedes, it.ID)
			}
		}
	}
	return true, nil
}
