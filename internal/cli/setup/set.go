package setup

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/config"
	"ken/internal/config/edit"
	"ken/internal/fault"
	"ken/internal/view"
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

// A wish is one key to be set or unset.
type wish struct {
	key   []string
	value string // as TOML
	unset bool
}

// wishesOf reads what was typed.
func wishesOf(a *term.Run, args, unset []string) ([]wish, error) {
	var wishes []wish
	add := func(name, text string, unset bool) error {
		key, err := config.ParseKey(name)
		if err != nil {
			return fault.New(fault.Usage, err)
		}
		w := wish{key: key, unset: unset}
		if !unset {
			w.value = config.Literal(key, text)
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
func set(a *term.Run, cmd *cobra.Command, wishes []wish, asJSON, dryRun bool) error {
	change := func(f settingsFile) ([]byte, error) { return changed(f, wishes) }
	var before, after settingsFile
	var err error
	if dryRun {
		if before, _, err = readSettingsFile(a); err == nil {
			after = before
			after.Text, err = change(before)
		}
	} else {
		before, after, err = changeSettings(cmd.Context(), a, change)
	}
	if err != nil {
		return err
	}
	var old *config.Config // nil if the file was broken
	if c, err := config.Parse(before.Text, before.Path); err == nil {
		old = &c
	}
	cfg, err := config.Parse(after.Text, after.Path)
	if err != nil {
		return err
	}
	results := make([]view.SetResult, len(wishes))
	for i, w := range wishes {
		results[i] = view.SetResultOf(w.key, w.unset, old, &cfg, a.Home.Keys.MaskText)
		results[i].DryRun = dryRun
	}
	if before.Stat == nil && !dryRun {
		a.Status("made %s", a.Home.Settings.Short(after.Path))
	}
	if !dryRun {
		takeEffect(a, cfg, wishes)
	}
	if asJSON {
		return a.PrintJSON(results)
	}
	for _, d := range results {
		if err := a.Println(d.Text()); err != nil {
			return err
		}
	}
	return nil
}

// changed is the text of a file with all wishes done, if it can be read as
// settings then and nothing else has changed.
func changed(f settingsFile, wishes []wish) ([]byte, error) {
	text := f.Text
	for _, w := range wishes {
		var err error
		if w.unset {
			var was bool
			text, was, err = edit.Unset(text, w.key)
			if p, wrong := problemOf(w.key, "0"); !was && wrong && strings.HasPrefix(p.What, "unknown") {
				return nil, fault.Usagef("%s: %s", p.Key, p.What)
			}
		} else {
			text, err = edit.Set(text, w.key, w.value)
		}
		if errors.Is(err, edit.ErrSyntax) {
			return nil, fault.Usagef("%s: %w", f.Path, err).WithHint("mend the file: %s", fault.Command("config edit"))
		}
		if err != nil {
			return nil, fault.New(fault.Usage, err)
		}
	}
	cfg, err := config.Parse(text, f.Path)
	old, oldErr := config.Parse(f.Text, f.Path)
	if err != nil {
		return nil, refused(wishes, config.ProblemsOf(err), config.ProblemsOf(oldErr))
	}
	if oldErr != nil {
		return text, nil
	}
	// A preset that is not there is no mistake in a file, and one in what was typed.
	if gone := slices.DeleteFunc(slices.Clone(cfg.Missing()), func(p config.Problem) bool {
		return slices.ContainsFunc(old.Missing(), func(q config.Problem) bool { return p.Key == q.Key && p.What == q.What })
	}); len(gone) > 0 {
		return nil, refused(wishes, gone, nil)
	}
	concerned := func(key []string) bool {
		return slices.ContainsFunc(wishes, func(w wish) bool {
			return view.IsUnder(w.key, key) || len(w.key) == 3 && view.IsUnder(w.key[:2], key) // timeout_ms sets two others
		})
	}
	was := map[string]any{}
	for _, s := range old.Settings() {
		was[edit.Key(s.Key...)] = s.Value
	}
	for _, s := range cfg.Settings() {
		if name := edit.Key(s.Key...); !concerned(s.Key) && !reflect.DeepEqual(was[name], s.Value) {
			return nil, fmt.Errorf("%s: the change would have changed %s as well, so nothing was written", f.Path, name)
		}
	}
	return text, nil
}

// refused says what is wrong with what was wished for, or with what else the
// file holds, in the rows that it has now.
func refused(wishes []wish, now, before []config.Problem) error {
	var lines []string
	for _, p := range now {
		if slices.ContainsFunc(wishes, func(w wish) bool { return !w.unset && isAbove(p.Key, w.key) }) {
			lines = append(lines, p.Key+": "+p.What)
		}
	}
	if len(lines) > 0 {
		return fault.Usagef("%s", strings.Join(lines, "\n")).WithHint("nothing was written; see what there is: %s", fault.Command("config show"))
	}
	for _, p := range now {
		i := slices.IndexFunc(before, func(old config.Problem) bool { return old.Key == p.Key && old.What == p.What })
		if i >= 0 {
			p = before[i]
		}
		lines = append(lines, p.String())
	}
	err := fault.Usagef("%s", strings.Join(lines, "\n"))
	if len(before) == 0 {
		return err.WithHint("nothing was written: with this change the file would be wrong")
	}
	return err.WithHint("nothing was written: mend the file first: %s", fault.Command("config edit"))
}

// isAbove reports whether name is that of key or of a table that it is in.
func isAbove(name string, key []string) bool {
	for n := range key {
		if edit.Key(key[:n+1]...) == name {
			return true
		}
	}
	return false
}

// takeEffect puts the settings in force in a running shell, as far as that can
// be, and says what nothing reads and what waits for the next start.
func takeEffect(a *term.Run, cfg config.Config, wishes []wish) {
	unused := cfg.Unused()
	var later []string
	live := false
	for _, w := range wishes {
		name := edit.Key(w.key...)
		switch {
		case slices.Contains(unused, name):
			a.Say("ken: warning: ", fmt.Sprintf("setting %s is kept for later: nothing reads it yet", name))
		case isLive(w.key):
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
