package setup

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/config"
	"ken/internal/config/edit"
	"ken/internal/fault"
	"ken/internal/models"
	"ken/internal/settings"
	"ken/internal/view"
)

func showCommand(a *term.Run) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show [KEY]",
		Short: "show the settings in force and where each comes from",
		Long: `Show prints the settings that hold as a file that could be saved, and behind each
where it comes from: default, a row of the file, the environment, or a flag. With
KEY, a key or a table, only those. Secrets are not among them: a preset only names
where its key is.`,
		Example: "  ken config show memory",
		Args:    cobra.MaximumNArgs(1),
		ValidArgsFunction: func(_ *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return keysLike(a, args, prefix)
		},
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE: func(_ *cobra.Command, args []string) error {
			cfg, err := a.Home.Settings.Read()
			if err != nil {
				return err
			}
			all := inForce(a, cfg)
			if len(args) > 0 {
				if all, err = below(all, args[0]); err != nil {
					return err
				}
			}
			all = slices.DeleteFunc(all, func(s view.Setting) bool {
				return s.Row == 0 && config.IsUnused(edit.Key(s.Key...)) && (len(args) == 0 || !config.IsUnused(args[0]))
			})
			if asJSON {
				return a.PrintJSON(view.SettingsOf(all, a.Home.Keys.MaskText))
			}
			return a.PrintAsIs(view.SettingsText(all, len(args) == 0, a.Home.Keys.MaskText))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON array")
	return cmd
}

// keysLike are the keys of settings that begin so, behind none or behind other words; behind
// one that is on or off, these.
func keysLike(a *term.Run, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
	const alone = cobra.ShellCompDirectiveNoFileComp
	cfg, err := a.Home.Settings.Read()
	if err != nil {
		return nil, alone
	}
	var list []cobra.Completion
	for _, s := range cfg.Settings() {
		key := edit.Key(s.Key...)
		switch {
		case len(args) == 0 && strings.HasPrefix(key, prefix) && (s.Row > 0 || !config.IsUnused(key)):
			list = append(list, cobra.CompletionWithDesc(key, view.Excerpt(a.Home.Keys.MaskText(fmt.Sprint(s.Value)), 40)))
		case len(args) == 1 && args[0] == key:
			if _, ok := s.Value.(bool); ok {
				return []cobra.Completion{"true", "false"}, alone
			}
		}
	}
	return list, alone
}

// inForce lists the settings that hold in this run.
func inForce(a *term.Run, cfg config.Config) []view.Setting {
	m, err := a.Home.Models().Preset("")
	name, env := m.Name, err == nil && m.From == models.FromEnvironment
	if env && cfg.Model == "" {
		// A model that only the environment names, as the preset that it counts as.
		presets := map[string]config.Model{name: m.Model}
		for other, m := range cfg.Models {
			presets[other] = m
		}
		cfg.Model, cfg.Models = name, presets
	}
	flags := map[string]bool{}
	if a.Flags.NoMemory {
		cfg.Memory.Enabled, flags["memory.enabled"] = false, true
	}
	if a.Flags.Quiet {
		cfg.UI.Quiet, flags["ui.quiet"] = true, true
	}
	file := a.Home.Settings.Short(a.Home.Settings.Paths().ConfigFile())
	var all []view.Setting
	for _, s := range cfg.Settings() {
		from := "default"
		key := edit.Key(s.Key...)
		switch {
		case flags[key]:
			from = "flag"
		case s.Row > 0:
			from = fmt.Sprintf("%s:%d", file, s.Row)
		case env && (key == "model" || key == edit.Key("models", name, "model")):
			from = "environment KEN_MODEL"
		case env && key == edit.Key("models", name, "base_url") && a.Env.Getenv("OPENAI_BASE_URL") != "":
			from = "environment OPENAI_BASE_URL"
		case env && key == edit.Key("models", name, "api_key_env") && m.APIKeyEnv != "":
			from = "environment OPENAI_API_KEY"
		}
		all = append(all, view.Setting{Setting: s, From: from})
	}
	return all
}

// below keeps the key that a person named, or all of the table.
func below(all []view.Setting, name string) ([]view.Setting, error) {
	key, err := config.ParseKey(name)
	if err != nil {
		return nil, fault.New(fault.Usage, err)
	}
	some := slices.DeleteFunc(slices.Clone(all), func(s view.Setting) bool {
		return len(s.Key) < len(key) || !slices.Equal(s.Key[:len(key)], key)
	})
	if len(some) > 0 {
		return some, nil
	}
	return nil, settings.Unknown(key)
}
