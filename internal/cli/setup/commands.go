package setup

import (
	"github.com/spf13/cobra"

	"ken/internal/cli/term"
)

// Commands are config, check and doctor, and setup and hook for other assistants.
func Commands(a *term.Run) []*cobra.Command {
	config := showCommand(a)
	config.Use, config.Short = "config", "see and change the settings; without a word: show them"
	config.AddCommand(pathCommand(a), showCommand(a), setCommand(a), editCommand(a), initCommand(a))
	return []*cobra.Command{config, checkCommand(a), doctorCommand(a), setupCommand(a), hookCommand(a)}
}
