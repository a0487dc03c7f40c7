package setup

import (
	"github.com/spf13/cobra"

	"ken/internal/cli/term"
)

// Commands are config, check and doctor.
func Commands(a *term.Run) []*cobra.Command {
	config := &cobra.Command{
		Use:         "config",
		Short:       "see and change the settings",
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE:        func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	config.AddCommand(pathCommand(a), showCommand(a), setCommand(a), editCommand(a), initCommand(a))
	return []*cobra.Command{config, checkCommand(a), doctorCommand(a)} // the two look into the files of the memory
}
