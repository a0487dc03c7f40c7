package chat

import (
	"context"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/models"
)

// SwitchModel has the model that name means answer from now on.
func (s *REPL) SwitchModel(ctx context.Context, name string) (models.Preset, error) {
	return s.dialog.Switch(ctx, name)
}

func (s *REPL) tokensCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "tokens", Args: cobra.NoArgs,
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			set := s.app.Home.Models()
			if p, err := set.Preset(""); err == nil {
				set.Study(cmd.Context(), p, models.Moment)
			}
			v := s.conv().Tokens(cmd.Context(), s.app.Home.Models())
			if asJSON {
				return s.app.PrintJSON(v)
			}
			return s.app.Println(v.Text())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as one JSON object")
	return cmd
}

// tellFull says that the context fills up.
func (s *REPL) tellFull(ctx context.Context) {
	if v, now := s.conv().Filled(ctx, s.app.Home.Models()); now {
		s.app.Status("%s; the older turns will be summed up, :compact does it now, :tokens says more", v.FullText())
	}
}
