package term

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/regular"
	"ken/internal/repl"
)

// LineContext is what the shell's lines are told apart by, but for the commands of ken.
func (a *Run) LineContext() repl.LineContext {
	w := repl.LineContext{
		Exists: func(path string) bool {
			_, err := os.Stat(a.path(path))
			return err == nil
		},
		Runs: func(path string) bool {
			stat, err := os.Stat(a.path(path))
			return err == nil && stat.Mode().IsRegular() && stat.Mode()&0o111 != 0
		},
		Program: func(name string) bool { _, err := a.FindProgram(name); return err == nil },
		Extends: a.extends,
		Makes:   a.makes,
	}
	if cfg, ok := a.Home.Settings.InForce(); ok {
		w.Known = cfg.Shell.KnownCommands
	}
	return w
}

// mostRead is how much of a file is looked at to tell a line apart, in bytes.
const mostRead = 256 << 10

// extends reports whether word is a subcommand that was added to program: a program
// called program-word, or an alias of git.
func (a *Run) extends(program, word string) bool {
	if strings.ContainsAny(word, "/\\") {
		return false
	}
	if _, err := a.FindProgram(program + "-" + word); err == nil {
		return true
	}
	if program != "git" {
		return false
	}
	files := []string{"~/.gitconfig", "~/.config/git/config"}
	if repo := a.Home.Here.Place().Repo; repo != nil {
		files = append(files, filepath.Join(repo.CommonDir, "config"))
	}
	for _, file := range files {
		in := false
		for line := range strings.Lines(a.head(file)) {
			line = strings.TrimSpace(line)
			name, _, set := strings.Cut(line, "=")
			switch {
			case strings.HasPrefix(line, "["):
				in = strings.HasPrefix(strings.ToLower(line), "[alias]")
			case in && set && strings.EqualFold(strings.TrimSpace(name), word):
				return true
			}
		}
	}
	return false
}

// makes reports whether the Makefile where the person stands has that target.
func (a *Run) makes(target string) bool {
	for line := range strings.Lines(a.head("Makefile")) {
		names, after, ok := strings.Cut(line, ":")
		if ok && !strings.HasPrefix(after, "=") && slices.Contains(strings.Fields(names), target) {
			return true
		}
	}
	return false
}

// head is the beginning of a regular file; "" if it cannot be read.
func (a *Run) head(path string) string {
	path = a.path(path)
	if stat, err := os.Stat(path); err != nil || !stat.Mode().IsRegular() {
		return ""
	}
	f, err := regular.Open(path)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	b, _ := io.ReadAll(io.LimitReader(f, mostRead)) // what came is what is known
	return string(b)
}

// path is what a person means by path where they stand.
func (a *Run) path(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && a.Home.Settings.UserDir() != "" {
		return filepath.Join(a.Home.Settings.UserDir(), rest)
	}
	if !filepath.IsAbs(path) {
		return filepath.Join(a.Env.Dir, path)
	}
	return path
}

// Chdir makes dir, relative to where the person stands, the working directory of
// this process. Directories are counted as they were named, as shells do: ".."
// leaves a symbolic link again.
func (a *Run) Chdir(dir string) error {
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
	a.Env.Dir = to
	a.Moved()
	return errors.Join(a.Setenv("OLDPWD", old), a.Setenv("PWD", to))
}

// Setenv sets a variable of this process, which every command inherits.
func (a *Run) Setenv(name, value string) error {
	if a.Env.Setenv == nil {
		return errors.ErrUnsupported
	}
	return a.Env.Setenv(name, value)
}

// Unsetenv removes a variable of this process.
func (a *Run) Unsetenv(name string) error {
	if a.Env.Unsetenv == nil {
		return errors.ErrUnsupported
	}
	return a.Env.Unsetenv(name)
}

// Lend gives the terminal of the shell, if this is one, to a program until back is
// called.
func (a *Run) Lend() (back func()) {
	if a.Shell == nil {
		return func() {}
	}
	return a.Shell.Terminal().Lend()
}
