package memory

import (
	"github.com/spf13/cobra"

	"ken/internal/cli/term"
)

// Commands are the commands on memory. Those in more stand below `memory` as
// well: a conversation has some of its own.
func Commands(a *term.Run, more ...*cobra.Command) []*cobra.Command {
	below := append(tidyCommands(a), testCommand(a), pageCommand(a), statsCommand(a), summarizeCommand(a), tidyCommand(a), workingCommand(a))
	return append(append(WriteCommands(a), WhyCommands(a)...),
		exportCommand(a), eraseCommand(a), extractCommand(a), workingCommand(a), memoryCommand(a, append(below, more...)))
}

// WriteCommands are those of Commands that programs call most and that change memory.
func WriteCommands(a *term.Run) []*cobra.Command {
	return []*cobra.Command{rememberCommand(a), forgetCommand(a), undoCommand(a)}
}

// tidyCommands stand below `memory tidy`, and below `memory`, where they stood first.
func tidyCommands(a *term.Run) []*cobra.Command {
	return []*cobra.Command{
		hygieneCommand(a), planCommand(a), applyCommand(a), policyCommand(a),
		compactCommand(a), stabilizeCommand(a), resetCommand(a), scanCommand(a),
	}
}

// tidyCommand gathers what keeps a memory in order.
func tidyCommand(a *term.Run) *cobra.Command {
	cmd := planCommand(a)
	cmd.Use, cmd.Short = "tidy", "keep the memory in order; without a word: what is due"
	cmd.Long = `Tidy gathers what keeps a memory in order as it grows: what has not been used is put
away, what says the same or is out of date is proposed to be forgotten, secrets and
contradictions are looked for. Without a word it says what the policy in force would do
now, and does nothing.`
	cmd.Example = "  ken memory tidy\n  ken memory tidy hygiene --dry-run\n  ken memory tidy scan"
	cmd.AddCommand(append(tidyCommands(a), refreshCommand(a))...)
	return cmd
}
