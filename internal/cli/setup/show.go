package setup

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ken/internal/cli/app"
	"ken/internal/config"
	"ken/internal/config/edit"
	"ken/internal/termsafe"
)

func showCommand(a *app.App) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show [KEY]",
		Short: "the settings that hold, each with where it comes from",
		Long: `Show prints the settings that hold as a file that could be saved, and behind each
where it comes from: default, a row of the file, the environment, or a flag. With
KEY, a key or a table, only those. Secrets are not among them: a preset only names
where its key is.`,
		Example: "  ken config show memory",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			cfg, err := a.Settings()
			if err != nil {
				return err
			}
			all := inForce(a, cfg)
			if len(args) > 0 {
				if all, err = below(all, args[0]); err != nil {
					return err
				}
			}
			if asJSON {
				return a.PrintJSON(rowsOf(a, all))
			}
			return a.Println(strings.Join(linesOf(a, all, len(args) == 0), "\n"))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON array")
	return cmd
}

// A shown setting is one with where it comes from.
type shown struct {
	config.Setting
	from string
}

// inForce lists the settings that hold in this run.
func inForce(a *app.App, cfg config.Config) []shown {
	name, m, env, err := a.ModelSettings()
	if err == nil && env != "" && cfg.Model == "" {
		// A model that only the environment names, as the preset that it counts as.
		presets := map[string]config.Model{name: m}
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
	file := a.Short(a.Paths().ConfigFile())
	var all []shown
	for _, s := range cfg.Settings() {
		from := "default"
		key := edit.Key(s.Key...)
		switch {
		case flags[key]:
			from = "flag"
		case s.Row > 0:
			from = fmt.Sprintf("%s:%d", file, s.Row)
		case env != "" && (key == "model" || key == edit.Key("models", name, "model")):
			from = "environment KEN_MODEL"
		case env != "" && key == edit.Key("models", name, "base_url") && a.Env.Getenv("OPENAI_BASE_URL") != "":
			from = "environment OPENAI_BASE_URL"
		case env != "" && key == edit.Key("models", name, "api_key_env") && m.APIKeyEnv != "":
			from = "environment OPENAI_API_KEY"
		}
		all = append(all, shown{s, from})
	}
	return all
}

// below keeps the key that a person named, or all of the table.
func below(all []shown, name string) ([]shown, error) {
	key, err := parseKey(name)
	if err != nil {
		return nil, err
	}
	some := slices.DeleteFunc(slices.Clone(all), func(s shown) bool {
		return len(s.Key) < len(key) || !slices.Equal(s.Key[:len(key)], key)
	})
	if len(some) > 0 {
		return some, nil
	}
	return nil, unknown(key)
}

// unknown is the error of a key that stands nowhere: there is no such key, or a
// preset or server has not been given that name.
func unknown(key []string) error {
	name := edit.Key(key...)
	if p, ok := problemOf(key, "0"); ok && strings.HasPrefix(p.What, "unknown") {
		return app.Usage("%s: %s", name, p.What)
	}
	return app.Usage("%s: it is not set, and has no default", name)
}

// problemOf is what is wrong with a file that sets key to value and nothing
// else.
func problemOf(key []string, value string) (config.Problem, bool) {
	_, err := config.Parse([]byte(edit.Key(key...)+" = "+value+"\n"), "")
	if problems := problemsOf(err); len(problems) > 0 {
		return problems[0], true
	}
	return config.Problem{}, false
}

// linesOf writes settings as TOML, whole tables with their headers, each value
// with where it comes from.
func linesOf(a *app.App, all []shown, headers bool) []string {
	var lines []string
	var comments []string // behind lines, "" for none
	table := ""
	for _, s := range all {
		key := edit.Key(s.Key...)
		if headers {
			last := len(s.Key) - 1
			if t := edit.Key(s.Key[:last]...); t != table {
				table = t
				lines, comments = append(lines, "", "["+t+"]"), append(comments, "", "")
			}
			key = edit.Key(s.Key[last])
		}
		lines = append(lines, termsafe.Line(key+" = "+a.MaskText(edit.Literal(s.Value))))
		comments = append(comments, termsafe.Line(s.from))
	}
	wide := 0
	const most = 44 // a longer line does not push the others
	for _, l := range lines {
		if n := termsafe.Width(l); n <= most {
			wide = max(wide, n)
		}
	}
	for i, c := range comments {
		if c != "" {
			lines[i] += strings.Repeat(" ", max(0, wide-termsafe.Width(lines[i]))) + "  # " + c
		}
	}
	return lines
}

// A settingRow is a setting for a program.
type settingRow struct {
	Key   string `json:"key"`
	Value any    `json:"value"`
	From  string `json:"from"`
}

func rowsOf(a *app.App, all []shown) []settingRow {
	rows := make([]settingRow, len(all))
	for i, s := range all {
		rows[i] = settingRow{edit.Key(s.Key...), plain(a, s.Value), s.from}
	}
	return rows
}

// plain is a value for a program, with secrets masked.
func plain(a *app.App, v any) any {
	switch v := v.(type) {
	case string:
		return a.MaskText(v)
	case time.Duration:
		return edit.Span(v)
	case []string:
		list := make([]string, len(v))
		for i, s := range v {
			list[i] = a.MaskText(s)
		}
		return list
	}
	return v
}
