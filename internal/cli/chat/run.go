package chat

import (
	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/upkeep"
)

// Commands are those on conversations that work in and outside the shell; shell is
// nil outside. look looks after the memory.
func Commands(a *term.Run, look *upkeep.Upkeep, shell *REPL) []*cobra.Command {
	return []*cobra.Command{askCommand(a, look, &askFlags{}), execCommand(a, shell)}
}
