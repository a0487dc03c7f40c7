package setup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ken/internal/cli/app"
	"ken/internal/config"
	"ken/internal/fault"
	"ken/internal/jsonl"
	"ken/internal/regular"
)

// readSettings reads the settings as they are now and tells nothing. The paths are
// good also with an error, as far as they do not depend on the file.
func readSettings(a *app.App) (config.Config, config.Paths, error) {
	return config.Open(a.Env.Getenv, userDir(a), a.Flags.Config)
}

// userDir is the person's home directory; "" if there is none.
func userDir(a *app.App) string {
	if h := a.Env.Getenv("HOME"); filepath.IsAbs(h) {
		return h
	}
	return ""
}

// short is a path as a person writes it: with ~ for their home directory.
func short(a *app.App, path string) string {
	if rest, ok := strings.CutPrefix(path, userDir(a)); ok && userDir(a) != "" && (rest == "" || os.IsPathSeparator(rest[0])) {
		return "~" + rest
	}
	return path
}

// lockWait is how long a change of the settings waits for another one.
const lockWait = 5 * time.Second

// A settingsFile is the file of settings as it was read.
type settingsFile struct {
	path string
	text []byte
	stat fs.FileInfo // nil if there is no file
}

// readSettingsFile reads the file of settings that is in force. A missing one is
// empty.
func readSettingsFile(a *app.App) (settingsFile, config.Paths, error) {
	_, paths, err := readSettings(a)
	f := settingsFile{path: paths.ConfigFile()}
	if err != nil && paths == (config.Paths{}) {
		return f, paths, fault.New(fault.Usage, err)
	}
	return f, paths, f.read()
}

func (f *settingsFile) read() error {
	f.text, f.stat = nil, nil
	stat, err := regular.Stat(f.path)
	if err == nil && stat == nil {
		return nil
	}
	if err == nil {
		f.stat = stat
		f.text, err = regular.Read(f.path, config.MaxFile)
	}
	if err != nil {
		return fmt.Errorf("read settings: %w", err)
	}
	return nil
}

// write puts text in the place of what was read, if that is still there and if
// text can be read as settings. The error is jsonl.ErrChanged if it is not, and
// a *config.Error if it cannot.
func (f *settingsFile) write(text []byte) error {
	if _, err := config.Parse(text, f.path); err != nil {
		return err
	}
	return jsonl.Rewrite(jsonl.OS{}, f.path, f.stat, func(w io.Writer) error {
		_, err := io.Copy(w, bytes.NewReader(text))
		return err
	})
}

// changeSettings reads the file of settings, and writes what change makes of it,
// with no other ken in between. If change returns the text that it got, nothing is
// written.
func changeSettings(ctx context.Context, a *app.App, change func(f settingsFile) ([]byte, error)) (before, after settingsFile, err error) {
	f, paths, err := readSettingsFile(a)
	if err != nil {
		return f, f, err
	}
	// Not in the directory of the settings, which may be a repository of dotfiles.
	lock, err := jsonl.LockDir(ctx, paths.State, lockWait)
	if err != nil {
		return f, f, fmt.Errorf("change settings: %w", err)
	}
	defer lock.Unlock()
	if err := f.read(); err != nil {
		return f, f, err
	}
	text, err := change(f)
	if err != nil || f.stat != nil && bytes.Equal(text, f.text) {
		return f, f, err
	}
	if err := f.write(text); err != nil {
		return f, f, err
	}
	after = f
	after.text = text
	return f, after, nil
}

// problemsOf lists what is wrong with a text of settings.
func problemsOf(err error) []config.Problem {
	if e := (*config.Error)(nil); errors.As(err, &e) {
		return e.Problems
	}
	return nil
}
