package settings

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"ken/internal/app"
	"ken/internal/config"
	"ken/internal/config/edit"
	"ken/internal/fault"
	"ken/internal/view"
)

// A File is the file of settings as it was read.
type File = app.SettingsFile

// Read reads the file of settings that is in force. A missing one is empty.
func Read(h *app.View) (File, error) {
	f, _, err := read(h)
	return f, err
}

func read(h *app.View) (File, config.Paths, error) {
	paths, err := h.Settings.Places()
	if err != nil {
		return File{}, paths, err
	}
	f := File{Path: paths.ConfigFile()}
	return f, paths, f.Read()
}

// Change reads the file of settings, and writes what change makes of it, with no other ken in between. If change returns the text
// that it got, nothing is written. Errors: that of change; what would be no settings.
func Change(ctx context.Context, h *app.View, change func(File) ([]byte, error)) (before, after File, err error) {
	f, paths, err := read(h)
	if err != nil {
		return f, f, err
	}
	if after, err = f.Change(ctx, paths.State, change); err != nil {
		return f, f, err
	}
	return f, after, nil
}

// Problem is what is wrong with a file that sets key to a value, as TOML, and nothing else; ok is false if nothing is.
func Problem(key []string, value string) (p config.Problem, ok bool) {
	_, err := config.Parse([]byte(edit.Key(key...)+" = "+value+"\n"), "")
	if problems := config.ProblemsOf(err); len(problems) > 0 {
		return problems[0], true
	}
	return config.Problem{}, false
}

// A First is what a first file of settings has besides the defaults.
type First struct {
	Model     Model
	Namespace string // of the person's profile; "": none
}

// Begin writes a first file of settings, in which all defaults stand commented out. One that is there is an error of the kind
// fs.ErrExist, unless force is set: it is kept as backup then, whose path is "" if there was none.
func Begin(ctx context.Context, h *app.View, first First, force bool) (path, backup string, err error) {
	text, err := first.text()
	if err != nil {
		return "", "", err
	}
	_, after, err := Change(ctx, h, func(now File) ([]byte, error) {
		if now.Stat == nil {
			return text, nil
		}
		if !force {
			return nil, fmt.Errorf("%s: %w", now.Path, fs.ErrExist)
		}
		backup, err = backUp(now)
		return text, err
	})
	return after.Path, backup, err
}

// text is the file.
func (f First) text() (text []byte, err error) {
	text = []byte(view.DefaultSettings())
	set := func(value string, key ...string) {
		if err == nil && value != "" {
			text, err = edit.Set(text, key, edit.Quote(value))
		}
	}
	if m := f.Model; m.Preset != "" {
		set(m.Preset, "model")
		set(m.BaseURL, "models", m.Preset, "base_url")
		set(m.Name, "models", m.Preset, "model")
		set(m.KeyEnv, "models", m.Preset, "api_key_env")
	}
	set(f.Namespace, "memory", "user_namespace")
	return text, err
}

// backUp copies the file to the first free name behind it.
func backUp(f File) (path string, err error) {
	for n := 1; ; n++ {
		path = f.Path + ".bak"
		if n > 1 {
			path = fmt.Sprintf("%s.bak%d", f.Path, n)
		}
		out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, f.Stat.Mode().Perm())
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("keep the old settings: %w", err)
		}
		_, err = out.Write(f.Text)
		if err = errors.Join(err, out.Sync(), out.Close()); err != nil {
			return "", fmt.Errorf("keep the old settings: %w", err)
		}
		return path, nil
	}
}

// Unknown is the error of a key that stands nowhere: there is no such key, or a preset or server has not been given that name.
func Unknown(key []string) error {
	if err := noSuchKey(key); err != nil {
		return err
	}
	return fault.Usagef("%s: it is not set, and has no default", edit.Key(key...))
}

// noSuchKey is the error of a key that no settings have; nil if some may.
func noSuchKey(key []string) error {
	if p, ok := Problem(key, "0"); ok && isUnknown(p) {
		return fault.Usagef("%s: %s", p.Key, p.What)
	}
	return nil
}
