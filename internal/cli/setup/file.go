package setup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ken/internal/cli/term"
	"ken/internal/config"
	"ken/internal/fault"
	"ken/internal/jsonl"
	"ken/internal/regular"
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
func readSettingsFile(a *term.Run) (settingsFile, config.Paths, error) {
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

// changeSettings reads the file of settings, and writes what change makes of it,
// with no other ken in between. If change returns the text that it got, nothing is
// written.
func changeSettings(ctx context.Context, a *term.Run, change func(f settingsFile) ([]byte, error)) (before, after settingsFile, err error) {
	f, paths, err := readSettingsFile(a)
	if err != nil {
		return f, f, err
	}
	// The lock is not in the directory of the settings, which may be a repository of dotfiles.
	e := jsonl.Edit{Path: f.path, Lock: paths.State, Wait: lockWait, Most: config.MaxFile}
	_, err = e.Bytes(ctx, func(old []byte) ([]byte, error) {
		if err := f.read(); err != nil {
			return nil, err
		}
		after = f
		text, err := change(f)
		if err != nil || f.stat != nil && bytes.Equal(text, f.text) {
			return old, err
		}
		if _, err := config.Parse(text, f.path); err != nil {
			return nil, err
		}
		after.text = text
		return append([]byte{}, text...), nil // a file, also of no text
	})
	if errors.Is(err, jsonl.ErrBusy) {
		err = fmt.Errorf("change settings: %w", err)
	}
	if err != nil {
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
