package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ken/internal/config"
	"ken/internal/pty"
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

// shellProgram is the person's shell.
func (a *App) shellProgram(cfg config.Config) string {
	switch shell := a.Env.Getenv("SHELL"); {
	case cfg.Shell.Program != "":
		return cfg.Shell.Program
	case shell != "":
		return shell
	}
	return "/bin/sh"
}

// RunLine runs a command line with the person's shell, on the person's terminal if
// there is one, and shows what it prints on out. Ctrl-C is the command's. A command
// that fails is no error.
func (a *App) RunLine(ctx context.Context, line string, out io.Writer) (pty.Result, error) {
	return a.RunLineWith(ctx, "", line, out)
}

// RunLineWith is RunLine with another shell than the person's, unless that is "".
func (a *App) RunLineWith(ctx context.Context, program, line string, out io.Writer) (pty.Result, error) {
	cfg, err := a.Settings()
	if err != nil {
		return pty.Result{}, err
	}
	if a.Env.Listen != nil && a.Shell == nil {
		a.Env.Listen(true)
		defer a.Env.Listen(false)
	}
	ctx, signals, stop := a.interrupts(ctx)
	defer stop()
	c := pty.Command{
		Argv: []string{cmp.Or(program, a.shellProgram(cfg)), "-c", line}, Dir: a.Env.Dir,
		In: a.Env.Stdin, Out: out, Signals: signals, Keep: cfg.Shell.CaptureBytes,
	}
	if a.Env.Environ != nil {
		c.Env = a.Env.Environ()
	}
	defer a.lend()()
	r, err := pty.Run(ctx, c)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return r, Fail(ExitNotRun, err).Hint("name your shell: shell.program in config.toml, or SHELL")
	}
	return r, err
}

// lend gives the terminal of the shell, if this is one, to a program until back is
// called.
func (a *App) lend() (back func()) {
	if a.Shell == nil {
		return func() {}
	}
	return a.Shell.Terminal().Lend()
}

// interrupts makes an interrupt that ends ctx, and those that come after it, a
// signal for the command. Any other end of ctx is one of the context that is
// returned.
func (a *App) interrupts(ctx context.Context) (_ context.Context, signals <-chan os.Signal, stop func()) {
	run, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	to, done := make(chan os.Signal, 1), make(chan struct{})
	go func() {
		defer cancel(nil)
		ended := ctx.Done()
		for {
			var s os.Signal
			select {
			case <-done:
				return
			case s = <-a.Env.Signals:
			case <-ended:
				if !errors.Is(context.Cause(ctx), repl.ErrInterrupted) {
					cancel(context.Cause(ctx))
					return
				}
				ended, s = nil, os.Interrupt
			}
			select {
			case to <- s:
			case <-done:
				return
			}
		}
	}()
	return run, to, func() { close(done) }
}
