package settings

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"ken/internal/app"
	"ken/internal/config"
	"ken/internal/config/edit"
	"ken/internal/fault"
	"ken/internal/view"
)

// A Wish is one key to be set or unset.
type Wish struct {
	Key   []string
	Value string // as TOML
	Unset bool
}

// A Done is what became of wishes.
type Done struct {
	Results []view.SetResult // of each, in their order
	Config  config.Config    // the settings of the file as it is now
	Path    string           // of the file
	Made    bool             // there was none
}

// Set writes wishes into the file of settings: all, or none if one cannot be. dry: it only says what would be done. Errors name the
// wish, or what else is wrong with the file; then nothing was written.
func Set(ctx context.Context, h *app.View, wishes []Wish, dry bool) (done Done, err error) {
	change := func(f File) ([]byte, error) { return changed(f, wishes) }
	var before, after File
	if dry {
		if before, err = Read(h); err == nil {
			after = before
			after.Text, err = change(before)
		}
	} else {
		before, after, err = Change(ctx, h, change)
	}
	if err != nil {
		return done, err
	}
	var old *config.Config // nil if the file was broken
	if c, err := config.Parse(before.Text, before.Path); err == nil {
		old = &c
	}
	if done.Config, err = config.Parse(after.Text, after.Path); err != nil {
		return done, err
	}
	done.Path, done.Made = after.Path, before.Stat == nil && !dry
	for _, w := range wishes {
		r := view.SetResultOf(w.Key, w.Unset, old, &done.Config, h.Keys.MaskText)
		r.DryRun = dry
		done.Results = append(done.Results, r)
	}
	return done, nil
}

// changed is the text of a file with all wishes done, if it can be read as
// settings then and nothing else has changed.
func changed(f File, wishes []Wish) ([]byte, error) {
	text := f.Text
	for _, w := range wishes {
		var err error
		if w.Unset {
			var was bool
			text, was, err = edit.Unset(text, w.Key)
			if unknown := noSuchKey(w.Key); !was && unknown != nil {
				return nil, unknown
			}
		} else {
			text, err = edit.Set(text, w.Key, w.Value)
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
		return slices.ContainsFunc(wishes, func(w Wish) bool {
			return view.IsUnder(w.Key, key) || len(w.Key) == 3 && view.IsUnder(w.Key[:2], key) // timeout_ms sets two others
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
func refused(wishes []Wish, now, before []config.Problem) error {
	var lines []string
	for _, p := range now {
		if slices.ContainsFunc(wishes, func(w Wish) bool { return !w.Unset && isAbove(p.Key, w.Key) }) {
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

// isUnknown reports whether a problem is that there is no such key.
func isUnknown(p config.Problem) bool { return strings.HasPrefix(p.What, "unknown") }
