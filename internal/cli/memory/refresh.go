package memory

import (
	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/upkeep"
)

func refreshCommand(a *term.Run) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "refresh",
		Short: "propose what files say now that memories are of",
		Long: `Refresh looks at the files that memories were imported from. What a file says in other words now is
proposed to be changed, what it says no more to be forgotten. Nothing is changed before you say yes
(ken review). What you said yourself of a file (remember --source) is named, and left to you.`,
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Memory: "that memories are changed and forgotten"}.Note(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := a.Home.Memory.State(cmd.Context())
			if err != nil {
				return err
			}
			a.Home.Memory.TellProblems(s)
			list, looks := upkeep.Refreshed(a.Home, s)
			for _, r := range looks {
				a.Status("#%s: %s", r.Item.Ref(), clean(a, r.Why))
			}
			return suggest(cmd.Context(), a, list, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON array")
	return cmd
}
