package setup

import (
	"github.com/spf13/cobra"

	"ken/internal/cli/app"
)

// Commands are config, check and doctor.
func Commands(a *app.App) []*cobra.Command {
	config := &cobra.Command{
		Use:   "config",
		Short: "see and change the settings",
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	config.AddCommand(pathCommand(a), showCommand(a), setCommand(a), editCommand(a), initCommand(a))
	check, doctor := checkCommand(a), doctorCommand(a)
	check.Annotations, doctor.Annotations = app.UsesMemory(), app.UsesMemory() // what is in its files
	return []*cobra.Command{config, check, doctor}
}
