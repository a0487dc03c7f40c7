package memory

import (
	"fmt"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/upkeep/page"
	"ken/internal/view"
)

func pageCommand(a *term.Run) *cobra.Command {
	var project, asJSON bool
	cmd := &cobra.Command{
		Use:     "page",
		Aliases: []string{"index"},
		Short:   "write MEMORY.md: all memories on one page, to read",
		Long: `Page writes MEMORY.md into the data directory, or with --project into .ken of this
repository, where it has the memories of this repository alone. It is made from the memory
and never read: changing or deleting it changes nothing. From then on it follows the
memory, until you delete it.`,
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Own: "the page", Person: "puts memories into a repository", When: []string{"--project"}}.Note(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, err := a.Home.Settings.Read(); err != nil {
				return err
			}
			s, err := a.Home.Memory.State(cmd.Context())
			if err != nil {
				return err
			}
			a.Home.Memory.TellProblems(s)
			w, err := page.Write(cmd.Context(), a.Home, s, project)
			if err != nil {
				return err
			}
			return term.Answer(a, asJSON, w, func() string {
				return fmt.Sprintf("%s: %s, %d hot, %d archived", a.Home.Settings.Short(w.Path), view.Memories(w.Items), w.Hot, w.Archive)
			})
		},
	}
	cmd.Flags().BoolVar(&project, "project", false, "the page of this repository, in .ken")
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON object")
	return cmd
}
