package cli

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"ken/internal/cli/term"
	"ken/internal/pty/inherit"
)

// insists is how long after a signal that ends ken another one does not count. What is
// sent together may come in any order, and one that ended ken at once would leave the
// terminal as the command had it.
const insists = 250 * time.Millisecond

// Run is Main with the signals of this process. Ctrl-C ends a command; inside
// the shell it ends what runs there. A closed standard output ends a command
// only after it has saved what there is to save. TERM and HUP end everything in
// order; a second signal, after a moment, ends it at once. Under nohup HUP ends nothing,
// but what ken starts can be hung up all the same.
//
// What libraries log is dropped: a server's bytes are in it, and what went wrong is an error of the call as well.
func Run(ctx context.Context, env Env) int {
	slog.SetDefault(slog.New(slog.DiscardHandler)) // of package log as well
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	closed := make(chan os.Signal, 1)
	signal.Notify(closed, syscall.SIGPIPE) // writing then fails with EPIPE
	signals := make(chan os.Signal, 4)
	nohup := signal.Ignored(syscall.SIGHUP)
	inherit.Defaults()
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !nohup {
		signal.Notify(signals, syscall.SIGHUP)
	}
	forward := make(chan os.Signal, 1)
	var listening atomic.Bool
	go func() {
		for s := range signals {
			if s == os.Interrupt && listening.Load() {
				select {
				case forward <- s:
				default: // one is waiting already
				}
				continue
			}
			cancel(&signalError{s})
			time.AfterFunc(insists, func() { signal.Reset(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP) })
		}
	}()
	env.Signals, env.Listen = forward, listening.Store
	env.Interrupt = func() { cancel(&signalError{os.Interrupt}) }
	var serves atomic.Bool
	env.Serves = func() { serves.Store(true) }
	code := Main(ctx, env)
	var by *signalError
	if errors.As(context.Cause(ctx), &by) && (code != 0 || !serves.Load()) {
		return by.code()
	}
	return code
}

// A signalError is the cause of a context that a signal ended.
type signalError struct{ signal os.Signal }

func (e *signalError) Error() string { return "ended by signal: " + e.signal.String() }

// code is the exit code that shells give to the signal.
func (e *signalError) code() int {
	if s, ok := e.signal.(syscall.Signal); ok {
		return 128 + int(s)
	}
	return term.ExitInterrupted
}
