package cli

import (
	"slices"

	"github.com/spf13/cobra"
)

// byPerson makes the commands that change settings refuse in the lane of a model or
// a tool: settings say what needs no yes, and what is masked.
func (p *program) byPerson(commands []*cobra.Command) []*cobra.Command {
	for _, config := range commands {
		for _, cmd := range config.Commands() {
			if run := cmd.RunE; slices.Contains([]string{"set", "edit", "init"}, cmd.Name()) {
				cmd.RunE = func(cmd *cobra.Command, args []string) error {
					if err := p.app.OnlyPerson("changes settings"); err != nil {
						return err
					}
					return run(cmd, args)
				}
			}
		}
	}
	return commands
}
