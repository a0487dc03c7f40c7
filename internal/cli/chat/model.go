package chat

import (
	"context"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
)

func (s *REPL) modelCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "model [PRESET]",
		Short: "the models there are; with PRESET, talk to that one from now on",
		Long: `Model lists the models that can be asked, * before the one in force. With the name
of one, that one answers until you leave; to keep it, set model in config.toml. Where
nothing is configured, a model on this machine is looked for.`,
		Args:        cobra.MaximumNArgs(1),
		Annotations: term.Writes{Own: "the conversation"}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.app.Home.Models().Look(cmd.Context()); err != nil {
				return err
			}
			if len(args) == 0 {
				return s.listModels(asJSON)
			}
			return s.switchModel(args[0])
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "the list as a JSON array")
	return cmd
}

func (s *REPL) listModels(asJSON bool) error {
	list, err := s.app.Home.Models().List()
	switch {
	case err != nil:
		return err
	case asJSON:
		return s.app.PrintJSON(list)
	}
	return s.app.Println(list.Text(s.app.Screen.Width()))
}

// switchModel makes the preset called name the one in force.
func (s *REPL) switchModel(name string) error {
	p, err := s.dialog.Switch(name)
	if err == nil {
		s.app.Status("model: %s (%s at %s)", p.Name, p.Model.Model, p.Host())
	}
	return err
}

func (s *REPL) tokensCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "tokens", Aliases: []string{"usage"}, Short: "how full the context is, and what was used so far", Args: cobra.NoArgs,
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE: func(cmd *cobra.Command, _ []string) error {
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
