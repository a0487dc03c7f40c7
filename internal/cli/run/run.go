package run

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/pty"
	"ken/internal/repl"
)

// shellProgram is the person's shell.
func shellProgram(a *term.Run, program string) string {
	switch shell := a.Env.Getenv("SHELL"); {
	case program != "":
		return program
	case shell != "":
		return shell
	}
	return "/bin/sh"
}

// Bare runs a command line with the person's shell, on the person's terminal if
// there is one, and shows what it prints on out. Ctrl-C is the command's. A command
// that fails is no error.
func Bare(ctx context.Context, a *term.Run, line string, out io.Writer) (pty.Result, error) {
	return runWith(ctx, a, "", line, out)
}

// runWith is Bare with another shell than the person's, unless that is "".
func runWith(ctx context.Context, a *term.Run, program, line string, out io.Writer) (pty.Result, error) {
	cfg, err := a.Home.Settings.Read()
	if err != nil {
		return pty.Result{}, err
	}
	if a.Env.Listen != nil && a.Shell == nil {
		a.Env.Listen(true)
		defer a.Env.Listen(false)
	}
	ctx, signals, stop := interrupts(ctx, a)
	defer stop()
	c := pty.Command{
		Argv: []string{cmp.Or(program, shellProgram(a, cfg.Shell.Program)), "-c", line}, Dir: a.Env.Dir,
		In: a.Env.Stdin, Given: a.Shell == nil, Out: out, Err: a.Env.Stderr, Signals: signals, Keep: cfg.Shell.CaptureBytes,
	}
	run := pty.Run
	if !term.IsTerminal(out) {
		run = pty.Pipe
		if a.Shell != nil && !term.IsTerminal(c.In) {
			c.In = nil // the lines of a script are ken's
		}
		if _, file := out.(*os.File); file && a.Shell == nil {
			c.Keep = 0 // nobody asks for it afterwards
		}
		if out == io.Discard || out == a.Env.Stdout && a.Shell != nil {
			c.Err = nil // all of it is kept, in its order
		}
	}
	if a.Env.Environ != nil {
		c.Env = a.Env.Environ()
	}
	defer a.Person.Lend()()
	r, err := run(ctx, c)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return r, fault.New(fault.NotStarted, err).WithHint("name your shell: shell.program in config.toml, or SHELL")
	}
	return r, err
}

// interrupts makes an interrupt that ends ctx, and those that come after it, a
// signal for the command. Any other end of ctx is one of the context that is
// returned.
func interrupts(ctx context.Context, a *term.Run) (_ context.Context, signals <-chan os.Signal, stop func()) {
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
