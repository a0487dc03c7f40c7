package talk

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/app"
	"ken/internal/session"
	"ken/internal/view"
)

func (s *Shell) modelCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "model [PRESET]",
		Short: "the models there are; with PRESET, talk to that one from now on",
		Long: `Model lists the models that can be asked, * before the one in force. With the name
of one, that one answers until you leave; to keep it, set model in config.toml. Where
nothing is configured, a model on this machine is looked for.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.app.Look(cmd.Context()); err != nil {
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

func (s *Shell) listModels(asJSON bool) error {
	a := s.app
	list, err := a.Presets()
	if err != nil {
		return err
	}
	current, err := a.Preset("")
	if len(list) == 0 {
		return err
	}
	views := []view.Model{}
	for _, p := range list {
		views = append(views, view.Model{
			Name: p.Name, Model: p.Model.Model, Host: p.Host(), ContextTokens: p.ContextTokens, From: p.From,
			Current: err == nil && p.Name == current.Name,
		})
	}
	if asJSON {
		return a.PrintJSON(views)
	}
	return a.Println(view.ModelTable(views, a.Width()))
}

// switchModel makes the preset called name the one in force, if it can be asked.
// The session is told.
func (s *Shell) switchModel(name string) error {
	a := s.app
	was, _ := a.Preset("") // none is no preset's name
	p, err := a.Preset(strings.TrimSpace(name))
	if err != nil {
		return err
	}
	if _, err := a.Client(p); err != nil {
		return err
	}
	if p, err = a.Choose(p.Name); err != nil {
		return err
	}
	a.Status("model: %s (%s at %s)", p.Name, p.Model.Model, p.Host())
	if p.Name == was.Name {
		return nil
	}
	s.full = false // the other one may read more, or less
	event := session.Event{Name: session.EventModel, Fields: []session.Field{session.StringField("model", p.Name)}}
	if err := s.rec.AppendEvent(event); err != nil {
		a.Warn(fmt.Errorf("the session does not know of the other model: %w", err))
	}
	return nil
}

func (s *Shell) tokensCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "tokens", Aliases: []string{"usage"}, Short: "how full the context is, and what was used so far", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			size := s.conv.Size(cmd.Context())
			v := view.Tokens{
				System: size.System, Memory: size.Memory, Turns: size.Turns, Total: size.Total(), Live: size.Count,
				Last: view.LastUsage(s.conv.Turns()), Run: s.app.Spent(),
			}
			if p, err := s.app.Preset(""); err == nil {
				v.Preset, v.ContextTokens, v.Assumed = p.Name, p.ContextTokens, !p.Sized
			}
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
func (s *Shell) tellFull(used int) {
	p, err := s.app.Preset("")
	if err != nil || s.compactAt <= 0 {
		return
	}
	full := float64(used) >= s.compactAt*float64(p.ContextTokens)
	if full && !s.full {
		size := fmt.Sprint(p.ContextTokens)
		if !p.Sized {
			size += " assumed"
			if p.From == app.FromConfig {
				size += fmt.Sprintf(" (models.%s.context_tokens)", p.Name)
			}
		}
		s.app.Status("context: about %d of %s tokens are used (%d %%); :reset begins anew, :tokens says more", used, size, view.Percent(used, p.ContextTokens))
	}
	s.full = full
}
