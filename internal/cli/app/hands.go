package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ken/internal/repl"
)

// World is what the shell's lines are told apart by, but for the commands of ken.
func (a *App) World() repl.World {
	w := repl.World{
		Exists: func(path string) bool {
			_, err := os.Stat(a.path(path))
			return err == nil
		},
		Runs: func(path string) bool {
			stat, err := os.Stat(a.path(path))
			return err == nil && stat.Mode().IsRegular() && stat.Mode()&0o111 != 0
		},
	}
	if a.cfg != nil {
		w.Known = a.cfg.Shell.KnownCommands
	}
	return w
}

// path is what a person means by path where they stand.
func (a *App) path(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && a.home() != "" {
		return filepath.Join(a.home(), rest)
	}
	if !filepath.IsAbs(path) {
		return filepath.Join(a.Env.Dir, path)
	}
	return path
}

// Chdir makes dir, relative to where the person stands, the working directory of
// this process. Directories are counted as they were named, as shells do: ".."
// leaves a symbolic link again.
func (a *App) Chdir(dir string) error {
	if a.Env.Chdir == nil {
		return errors.ErrUnsupported
	}
	to := filepath.Clean(dir)
	if !filepath.IsAbs(to) {
		to = filepath.Join(a.Env.Dir, to)
	}
	if err := a.Env.Chdir(to); err != nil {
		cause := (*fs.PathError)(nil)
		if errors.As(err, &cause) {
			err = cause.Err
		}
		return fmt.Errorf("cd %s: %w", dir, err)
	}
	old := a.Env.Dir
	a.Env.Dir, a.here = to, nil
	return errors.Join(a.Setenv("OLDPWD", old), a.Setenv("PWD", to))
}

// Setenv sets a variable of this process, which every command inherits.
func (a *App) Setenv(name, value string) error {
	if a.Env.Setenv == nil {
		return errors.ErrUnsupported
	}
	return a.Env.Setenv(name, value)
}

// Unsetenv removes a variable of this process.
func (a *App) Unsetenv(name string) error {
	if a.Env.Unsetenv == nil {
		return errors.ErrUnsupported
	}
	return a.Env.Unsetenv(name)
}

// Lend gives the terminal of the shell, if this is one, to a program until back is
// called.
func (a *App) Lend() (back func()) {
	if a.Shell == nil {
		return func() {}
	}
	return a.Shell.Terminal().Lend()
}
