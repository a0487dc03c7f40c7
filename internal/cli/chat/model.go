package chat

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/session"
	"ken/internal/view"
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
			if err := s.app.Models().Look(cmd.Context()); err != nil {
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
	list, err := s.app.Models().List()
	switch {
	case err != nil:
		return err
	case asJSON:
		return s.app.PrintJSON(list)
	}
	return s.app.Println(view.ModelTable(list, s.app.Width()))
}

// switchModel makes the preset called name the one in force, if it can be asked.
// The session is told.
func (s *REPL) switchModel(name string) error {
	m := s.app.Models()
	was, _ := m.Preset("") // none is no preset's name
	p, err := m.Choose(name)
	if err != nil {
		return err
	}
	s.app.Status("model: %s (%s at %s)", p.Name, p.Model.Model, p.Host())
	if p.Name == was.Name {
		return nil
	}
	s.full = false // the other one may read more, or less
	event := session.Event{Name: session.EventModel, Fields: []session.Field{session.StringField("model", p.Name)}}
	if err := s.rec.AppendEvent(event); err != nil {
		s.app.Warn(fmt.Errorf("the session does not know of the other model: %w", err))
	}
	return nil
}

func (s *REPL) tokensCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "tokens", Aliases: []string{"usage"}, Short: "how full the context is, and what was used so far", Args: cobra.NoArgs,
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			v := s.conv.Tokens(cmd.Context(), s.app.Models())
			if asJSON {
				return s.app.PrintJSON(v)
			}
			return s.app.Println(view.TokensText(v))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as one JSON object")
	return cmd
}

// tellFull says once that the context fills up, when an answer took it over the
// part of it that context.compact_at names, and again only after it was below.
func (s *REPL) tellFull(ctx context.Context) {
	v := s.conv.Tokens(ctx, s.app.Models())
	full := s.compactAt > 0 && v.ContextTokens > 0 && float64(v.Total) >= s.compactAt*float64(v.ContextTokens)
	if full && !s.full {
		s.app.Status("%s; the older turns will be summed up, :compact does it now, :tokens says more", view.FullText(v))
	}
	s.full = full
}
