package memory

import (
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/view/ageing"
)

func statsCommand(a *term.Run) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:         "stats",
		Short:       "show statistics of the memory",
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := a.Home.Settings.Read()
			if err != nil {
				return err
			}
			s, err := a.Home.Memory.State(cmd.Context())
			if err != nil {
				return err
			}
			a.Home.Memory.TellProblems(s)
			last, _ := a.Home.Uses.Counts()
			x := ageing.StatsOf(s, a.Env.Now(), last)
			x.Policy = cfg.Memory.Policy
			e, err := a.Home.Memory.Engine()
			if err != nil {
				return err
			}
			pending, _, _, err := e.Queue(cmd.Context())
			if err != nil {
				return err
			}
			x.Waiting = len(pending)
			return term.Answer(a, asJSON, x, func() string {
				names, scopes := a.Home.Here.Names(slices.Collect(maps.Keys(x.Scopes))...), make(map[string]int)
				for scope, n := range x.Scopes {
					scopes[names.Of(scope)] += n
				}
				x.Scopes = scopes
				return x.Text(cleaner(a))
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON object")
	return cmd
}
