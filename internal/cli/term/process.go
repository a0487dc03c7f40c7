package term

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"ken/internal/app"
	"ken/internal/regular"
	"ken/internal/repl"
)

// A Process is this process as its commands and the shell change it: where it stands, its
// variables, the programs that it finds.
type Process struct {
	env  *Env
	home *app.View
	lane *Lane
}

// LineContext is what the shell's lines are distinguished by, but for the commands of ken.
func (p *Process) LineContext() repl.LineContext {
	w := repl.LineContext{
		Exists: func(path string) bool {
			_, err := os.Stat(p.Path(path))
			return err == nil
		},
		Runs: func(path string) bool {
			stat, err := os.Stat(p.Path(path))
			return err == nil && stat.Mode().IsRegular() && stat.Mode()&0o111 != 0
		},
		Program: func(name string) bool { _, err := p.FindProgram(name); return err == nil },
		Extends: p.extends,
		Makes:   p.makes,
	}
	if cfg, ok := p.home.Settings.InForce(); ok {
		w.Known = cfg.Shell.KnownCommands
	}
	return w
}

// mostRead is how much of a file is looked at to classify a line, in bytes.
const mostRead = 256 << 10

// extends reports whether word is a subcommand that was added to program: a program
// called program-word, or an alias of git.
func (p *Process) extends(program, word string) bool {
	if strings.ContainsAny(word, "/\\") {
		return false
	}
	if _, err := p.FindProgram(program + "-" + word); err == nil {
		return true
	}
	if program != "git" {
		return false
	}
	files := []string{"~/.gitconfig", "~/.config/git/config"}
	if repo := p.home.Here.Place().Repo; repo != nil {
		files = append(files, filepath.Join(repo.CommonDir, "config"))
	}
	for _, file := range files {
		in := false
		for line := range strings.Lines(p.head(file)) {
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
func (p *Process) makes(target string) bool {
	for line := range strings.Lines(p.head("Makefile")) {
		names, after, ok := strings.Cut(line, ":")
		if ok && !strings.HasPrefix(after, "=") && slices.Contains(strings.Fields(names), target) {
			return true
		}
	}
	return false
}

// head is the beginning of a regular file; "" if it cannot be read.
func (p *Process) head(path string) string {
	path = p.Path(path)
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

// Path is the file that a person means by a name where they stand: "~" is their home directory, if
// they have one.
func (p *Process) Path(path string) string {
	path, _ = regular.Expand(path, p.home.Settings.UserDir())
	if !filepath.IsAbs(path) {
		return filepath.Join(p.env.Dir, path)
	}
	return path
}

// Chdir makes dir, relative to where the person stands, the working directory of
// this process. Directories are counted as they were named, as shells do: ".."
// leaves a symbolic link again.
func (p *Process) Chdir(dir string) error {
	if p.env.Chdir == nil {
		return errors.ErrUnsupported
	}
	to := filepath.Clean(dir)
	if !filepath.IsAbs(to) {
		to = filepath.Join(p.env.Dir, to)
	}
	if err := p.env.Chdir(to); err != nil {
		cause := (*fs.PathError)(nil)
		if errors.As(err, &cause) {
			err = cause.Err
		}
		return fmt.Errorf("cd %s: %w", dir, err)
	}
	old := p.env.Dir
	p.env.Dir = to
	p.home.Move(to)
	return errors.Join(p.Setenv("OLDPWD", old), p.Setenv("PWD", to))
}

// Setenv sets a variable of this process, which every command inherits.
func (p *Process) Setenv(name, value string) error {
	if p.env.Setenv == nil {
		return errors.ErrUnsupported
	}
	defer p.heed()
	return p.env.Setenv(name, value)
}

// Unsetenv removes a variable of this process.
func (p *Process) Unsetenv(name string) error {
	if p.env.Unsetenv == nil {
		return errors.ErrUnsupported
	}
	defer p.heed()
	return p.env.Unsetenv(name)
}

// heed has the memory be in the hands of whose word this run is now: a variable may say so.
func (p *Process) heed() { p.home.Enter(p.lane.Actor(), p.home.Stays()) }

// FindProgram is the path of the program that a command line would start by that
// name.
func (p *Process) FindProgram(name string) (string, error) { return exec.LookPath(name) }

// fed is how long a program may take that is fed a text.
const fed = 5 * time.Second

// Feed runs a program with a text as its input, and shows nothing of what it prints. One that goes
// on in the background is not waited for.
func (p *Process) Feed(ctx context.Context, argv []string, input string) error {
	ctx, cancel := context.WithTimeout(ctx, fed)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Stdin, cmd.Dir, cmd.WaitDelay = strings.NewReader(input), p.env.Dir, time.Second
	if p.env.Environ != nil {
		cmd.Env = p.env.Environ()
	}
	return cmd.Run()
}

// Brief lets the heap of this process grow to 16 MB before it is collected for the first time,
// unless GOGC says when: a command that answers one question ends before that, and collecting
// what goes with it anyway took a tenth of its CPU. A large memory that has to be read takes
// it back, as spareRoom does.
func (p *Process) Brief() {
	if p.env.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}
