package setup

import (
	"github.com/spf13/cobra"

	"ken/internal/cli/term"
)

// Commands are config, check and doctor, who asks others as well.
func Commands(a *term.Run, others Signs) []*cobra.Command {
	config := showCommand(a)
	config.Use, config.Short = "config", "see and change the settings; without a word: show them"
	config.AddCommand(pathCommand(a), showCommand(a), setCommand(a), editCommand(a), initCommand(a))
	return []*cobra.Command{config, checkCommand(a), doctorCommand(a, others)} // the two look into the files of the memory
}
