package lifecmd

import (
	"github.com/spf13/cobra"

	"ken/internal/cli/term"
)

// Commands stand below `memory`.
func Commands(a *term.Run) []*cobra.Command {
	return []*cobra.Command{
		hygieneCommand(a), planCommand(a), applyCommand(a), policyCommand(a),
		pageCommand(a), compactCommand(a), stabilizeCommand(a), resetCommand(a), statsCommand(a),
	}
}
