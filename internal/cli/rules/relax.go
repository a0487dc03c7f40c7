package rules

import (
	"context"

	"ken/internal/cli/term"
	"ken/internal/engine"
	"ken/internal/upkeep/ruling"
	view "ken/internal/view/rules"
)

// Relaxing says what a person is shown before they relax a rule, a line each: what is
// changed, and which of their commands it would no longer hold.
func Relaxing(a *term.Run) func(context.Context, *engine.RelaxError) []string {
	return func(ctx context.Context, e *engine.RelaxError) []string {
		commands, err := ruling.Commands(ctx, a.Home, ruling.Most)
		if err != nil {
			a.Warn(err)
		}
		return view.DifferenceOf(e.Difference, e.Old, e.New, view.Basis{
			Commands: commands, Judge: judge(a), Now: a.Env.Now(), Clean: a.Home.Keys.MaskText,
		}).Lines()
	}
}
