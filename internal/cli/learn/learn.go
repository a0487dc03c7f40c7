// Package learn is retrospect, rules and improve-rules: the commands of what is learned, but for review and skills.
package learn

import (
	"github.com/spf13/cobra"

	"ken/internal/cli/term"
)

// Commands are those of the package.
func Commands(a *term.Run) []*cobra.Command {
	return []*cobra.Command{retrospectCommand(a), rulesCommand(a), improveCommand(a)}
}
