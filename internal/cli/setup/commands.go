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
	const what = "changes settings" // they say what needs no yes
	config.AddCommand(pathCommand(a), showCommand(a),
		a.ByPerson(what, setCommand(a)), a.ByPerson(what, editCommand(a)), a.ByPerson(what, initCommand(a)))
	return []*cobra.Command{config, checkCommand(a), doctorCommand(a)}
}
