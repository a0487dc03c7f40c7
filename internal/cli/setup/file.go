package setup

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"ken/internal/app"
	"ken/internal/cli/term"
	"ken/internal/config"
	"ken/internal/fault"
)

// readSettings reads the settings as they are now and prints nothing. The paths are
// good also with an error, as far as they do not depend on the file.
func readSettings(a *term.Run) (config.Config, config.Paths, error) {
	return config.Open(a.Env.Getenv, userDir(a), a.Flags.Config)
}

// userDir is the person's home directory; "" if there is none.
func userDir(a *term.Run) string {
	if h := a.Env.Getenv("HOME"); filepath.IsAbs(h) {
		return h
	}
	return ""
}

// short is a path as a person writes it: with ~ for their home directory.
func short(a *term.Run, path string) string {
	if rest, ok := strings.CutPrefix(path, userDir(a)); ok && userDir(a) != "" && (rest == "" || os.IsPathSeparator(rest[0])) {
		return "~" + rest
	}
	return path
}

// A settingsFile is the file of settings as it was read.
type settingsFile = app.SettingsFile

// readSettingsFile reads the file of settings that is in force. A missing one is
// empty.
func readSettingsFile(a *term.Run) (settingsFile, config.Paths, error) {
	_, paths, err := readSettings(a)
	f := settingsFile{Path: paths.ConfigFile()}
	if err != nil && paths == (config.Paths{}) {
		return f, paths, fault.New(fault.Usage, err)
	}
	return f, paths, f.Read()
}

// changeSettings reads the file of settings, and writes what change makes of it,
// with no other ken in between. If change returns the text that it got, nothing is
// written.
func changeSettings(ctx context.Context, a *term.Run, change func(f settingsFile) ([]byte, error)) (before, after settingsFile, err error) {
	f, paths, err := readSettingsFile(a)
	if err != nil {
		return f, f, err
	}
	if after, err = f.Change(ctx, paths.State, change); err != nil {
		return f, f, err
	}
	return f, after, nil
}

// problemsOf lists what is wrong with a text of settings.
func problemsOf(err error) []config.Problem {
	if e := (*config.Error)(nil); errors.As(err, &e) {
		return e.Problems
	}
	return nil
}
