// Package learn gathers the commands of what is learned: what waits for a yes, and the looks back that end in lessons.
package learn

import (
	"github.com/spf13/cobra"

	"ken/internal/cli/review"
	"ken/internal/cli/skills"
	"ken/internal/cli/term"
)

// Commands are those that read or write the memory.
func Commands(a *term.Run) []*cobra.Command {
	return []*cobra.Command{review.Command(a), retrospectCommand(a), rulesCommand(a), improveCommand(a)}
}

// Apart are those that have nothing to do with the memory.
func Apart(a *term.Run) []*cobra.Command {
	return []*cobra.Command{skills.Command(a), skills.Evolve(a)}
}
