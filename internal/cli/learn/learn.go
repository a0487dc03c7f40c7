// Package learn gathers the commands of what is learned: what waits for a yes, and the looks back that end in lessons.
package learn

import (
	"context"

	"github.com/spf13/cobra"

	"ken/internal/cli/review"
	"ken/internal/cli/rules"
	"ken/internal/cli/skills"
	"ken/internal/cli/term"
	"ken/internal/engine"
)

// Relaxing says what a person is shown before they relax a rule, a line each.
func Relaxing(a *term.Run) func(context.Context, *engine.RelaxError) []string {
	return rules.Relaxing(a)
}

// Commands are those that read or write the memory.
func Commands(a *term.Run) []*cobra.Command {
	return []*cobra.Command{review.Command(a), retrospectCommand(a), rules.Command(a), rules.Improve(a)}
}

// Apart are those that have nothing to do with the memory.
func Apart(a *term.Run) []*cobra.Command {
	return []*cobra.Command{skills.Command(a), skills.Evolve(a)}
}
