package memory

import (
	"github.com/spf13/cobra"

	"ken/internal/cli/term"
)

// Commands are the commands on memory. Those in more stand below `memory` as
// well: a conversation has some of its own.
func Commands(a *term.Run, more ...*cobra.Command) []*cobra.Command {
	below := append(ageingCommands(a), scanCommand(a), summarizeCommand(a))
	return append(append(WriteCommands(a), WhyCommands(a)...),
		exportCommand(a), eraseCommand(a), extractCommand(a), memoryCommand(a, append(below, more...)))
}

// WriteCommands are those of Commands that programs call most and that change memory.
func WriteCommands(a *term.Run) []*cobra.Command {
	return []*cobra.Command{rememberCommand(a), forgetCommand(a), undoCommand(a)}
}

// ageingCommands stand below `memory`.
func ageingCommands(a *term.Run) []*cobra.Command {
	return []*cobra.Command{
		hygieneCommand(a), planCommand(a), applyCommand(a), policyCommand(a),
		pageCommand(a), compactCommand(a), stabilizeCommand(a), resetCommand(a), statsCommand(a),
	}
}
