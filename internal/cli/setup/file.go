package setup

import (
	"context"

	"ken/internal/cli/term"
	"ken/internal/config"
	"ken/internal/fault"
	"ken/internal/home"
)

// readSettings reads the settings as they are now and prints nothing. The paths are
// good also with an error, as far as they do not depend on the file.
func readSettings(a *term.Run) (config.Config, config.Paths, error) {
	return config.Open(a.Env.Getenv, a.Home.Settings.UserDir(), a.Flags.Config)
}

// A settingsFile is the file of settings as it was read.
type settingsFile = home.SettingsFile

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
