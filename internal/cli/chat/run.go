package chat

import (
	"github.com/spf13/cobra"

	"ken/internal/cli/term"
)

// Commands are those on conversations that work in and outside the shell; shell is
// nil outside.
func Commands(a *term.Run, shell *REPL) []*cobra.Command {
	return []*cobra.Command{askCommand(a), execCommand(a, shell)}
}
