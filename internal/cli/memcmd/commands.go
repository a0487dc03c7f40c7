package memcmd

import (
	"github.com/spf13/cobra"

	"ken/internal/cli/term"
)

// Commands are the commands on memory. Those in more stand below `memory` as
// well: a conversation has some of its own.
func Commands(a *term.Run, more ...*cobra.Command) []*cobra.Command {
	return []*cobra.Command{rememberCommand(a), forgetCommand(a), undoCommand(a), exportCommand(a), memoryCommand(a, more)}
}
