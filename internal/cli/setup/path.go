package setup

import (
	"errors"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/config"
	"ken/internal/fault"
	"ken/internal/view"
)

func pathCommand(a *term.Run) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:         "path",
		Short:       "print the path of the settings file",
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE: func(*cobra.Command, []string) error {
			_, p, err := readSettings(a)
			if err != nil && p == (config.Paths{}) {
				return fault.New(fault.Usage, err)
			}
			if asJSON {
				if err != nil {
					a.Warn(err) // the file may move some of them
				}
				return a.PrintJSON(view.PlacesOf(p))
			}
			if _, err := os.Stat(p.ConfigFile()); errors.Is(err, fs.ErrNotExist) {
				a.Status("it is not there yet, and the defaults hold: %s writes it", a.Verb("config init"))
			}
			return a.PrintAsIs(p.ConfigFile())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "all places of ken's files, as a JSON object")
	return cmd
}

// readSettings reads the settings as they are now and prints nothing. The paths are
// good also with an error, as far as they do not depend on the file.
func readSettings(a *term.Run) (config.Config, config.Paths, error) {
	return config.Open(a.Env.Getenv, a.Home.Settings.UserDir(), a.Flags.Config)
}
