package chat

import (
	"context"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/upkeep"
)

// Commands are those on conversations that work in and outside the shell; shell is
// nil outside, where run begins one. look looks after the memory.
func Commands(a *term.Run, look *upkeep.Upkeep, shell *REPL, run func(context.Context, Start) error) []*cobra.Command {
	return []*cobra.Command{askCommand(a, look, &askFlags{}), execCommand(a, shell), resumeCommand(a, shell, run)}
}
