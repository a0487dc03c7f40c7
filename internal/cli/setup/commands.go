package setup

import (
	"github.com/spf13/cobra"

	"ken/internal/cli/term"
)

// Commands are config, check and doctor, which is told who uses the memory.
func Commands(a *term.Run, users Users) []*cobra.Command {
	config := showCommand(a)
	config.Use, config.Short = "config", "see and change the settings; without a word: show them"
	config.AddCommand(pathCommand(a), showCommand(a), setCommand(a), editCommand(a), initCommand(a))
	return []*cobra.Command{config, checkCommand(a), doctorCommand(a, users)} // the two look into the files of the memory
}
