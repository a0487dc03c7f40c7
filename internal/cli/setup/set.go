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
	"ken/internal/settings"
)

func setCommand(a *term.Run) *cobra.Command {
	var unset []string
	var asJSON, dryRun bool
	cmd := &cobra.Command{
		Use:   "set KEY VALUE | KEY=VALUE... | --unset KEY",
		Short: "set or unset settings in the file",
		Long: `Set writes values into the file of settings: all of those given, or none if one of
them is wrong. Comments, order and everything else in the file stay as they are. A
list is given as a, b or ["a", "b"]; a name with dots in it goes in quotes, as in
models."qwen2.5".model.`,
		Example: "  ken config set ui.quiet true\n" +
			"  ken config set models.local.base_url=http://127.0.0.1:11434/v1 models.local.model=qwen3:8b model=local\n" +
			"  ken config set --unset memory.path",
		Annotations: term.Writes{Person: "changes settings", Settings: true}.Note(),
		ValidArgsFunction: func(_ *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return keysLike(a, args, prefix)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			wishes, err := wishesOf(a, args, unset)
			if err != nil {
				return err
			}
			return set(a, cmd, wishes, asJSON, dryRun)
		},
	}
	cmd.Flags().StringArrayVar(&unset, "unset", nil, "take `KEY`, or a whole table, out of the file; may be given again")
	cmd.Flags().BoolVar(&asJSON, "json", false, "what was done, as a JSON array")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "only say what would be done")
	return cmd
}

// wishesOf reads what was typed.
func wishesOf(a *term.Run, args, unset []string) ([]settings.Wish, error) {
	var wishes []settings.Wish
	add := func(name, text string, unset bool) error {
		key, err := config.ParseKey(name)
		if err != nil {
			return fault.New(fault.Usage, err)
		}
		w := settings.Wish{Key: key, Unset: unset}
		if !unset {
			w.Value = config.Literal(key, text)
		}
		wishes = append(wishes, w)
		return nil
	}
	switch {
	case len(args) == 0 && len(unset) == 0:
		return nil, fault.Usagef("set what? %s KEY VALUE", a.Verb("config set")).WithHint("see what there is: %s", fault.Command("config show"))
	case len(args) == 2:
		if _, _, pair := edit.CutPair(args[0]); pair {
			break
		}
		if err := add(args[0], args[1], false); err != nil {
			return nil, err
		}
		args = nil
	}
	for _, arg := range args {
		name, text, ok := edit.CutPair(arg)
		switch {
		case !ok && len(args) == 1:
			return nil, fault.Usagef("%s: to what?", arg).
				WithHint("%s %s VALUE; to take it out: %s --unset %s", fault.Command("config set"), arg, fault.Command("config set"), arg)
		case !ok:
			return nil, fault.Usagef("%q is no KEY=VALUE", arg).WithHint("a value with blanks in it goes in quotes")
		}
		if err := add(name, text, false); err != nil {
			return nil, err
		}
	}
	for _, name := range unset {
		if err := add(name, "", true); err != nil {
			return nil, err
		}
	}
	return wishes, nil
}

// set does what was wished for, all or nothing.
func set(a *term.Run, cmd *cobra.Command, wishes []settings.Wish, asJSON, dryRun bool) error {
	done, err := settings.Set(cmd.Context(), a.Home, wishes, dryRun)
	if err != nil {
		return err
	}
	if done.Made {
		a.Status("made %s", a.Home.Settings.Short(done.Path))
	}
	if !dryRun {
		takeEffect(a, done.Config, wishes)
	}
	if asJSON {
		return a.PrintJSON(done.Results)
	}
	for _, d := range done.Results {
		if err := a.Println(d.Text()); err != nil {
			return err
		}
	}
	return nil
}

// takeEffect puts the settings in force in a running shell, as far as that can
// be, and says what nothing reads and what waits for the next start.
func takeEffect(a *term.Run, cfg config.Config, wishes []settings.Wish) {
	unused := cfg.Unused()
	var later []string
	live := false
	for _, w := range wishes {
		name := edit.Key(w.Key...)
		switch {
		case slices.Contains(unused, name):
			a.Say("ken: warning: ", fmt.Sprintf("setting %s is kept for later: nothing reads it yet", name))
		case isLive(w.Key):
			live = true
		default:
			later = append(later, name)
		}
	}
	if a.Shell == nil {
		return
	}
	a.Home.Settings.Take(cfg)
	a.Home.Memory.Changed()
	if len(later) > 0 {
		a.Status("from the next start: %s", strings.Join(later, ", "))
	}
	if live {
		a.Status("in force now")
	}
}

// isLive reports whether Home.TakeSettings puts a key in force; one that it does
// not waits for the next start.
func isLive(key []string) bool {
	switch key[0] {
	case "history", "session", "context":
		return false
	case "memory":
		return len(key) > 1 && key[1] != "enabled" && key[1] != "path"
	}
	return true
}
