package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"ken/internal/config"
	"ken/internal/engine"
	"ken/internal/llm"
	"ken/internal/memory"
	"ken/internal/repl"
	"ken/internal/session"
	"ken/internal/termsafe"
)

// Exit codes, as the package comment lists them.
const (
	exitFailure     = 1
	exitUsage       = 2
	exitModel       = 3
	exitRefused     = 4
	exitIncomplete  = 6
	exitInterrupted = 130
	exitClosedPipe  = 141
)

// An exitError is an error with the exit code it asks for and, where one is
// known, the next step.
type exitError struct {
	code int
	err  error
	next string
	said bool // the person was told already
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

func (e *exitError) hint(format string, args ...any) *exitError {
	e.next = fmt.Sprintf(format, args...)
	return e
}

func usage(format string, args ...any) *exitError {
	return &exitError{code: exitUsage, err: fmt.Errorf(format, args...)}
}

func usageAs(err error) *exitError {
	return (&exitError{code: exitUsage, err: err}).hint("see ken --help")
}

// isUsage recognises what cobra says of a command line that it cannot take; it
// has no type for it.
func isUsage(err error) bool {
	s := err.Error()
	for _, p := range []string{"unknown command", "unknown flag", "unknown shorthand", "accepts ", "requires ", "flag needs"} {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// report tells err and returns its exit code.
func (a *app) report(err error) int {
	code, next, silent := verdict(err)
	if silent {
		return code
	}
	a.say("ken: error: ", err.Error())
	if next != "" {
		a.say("ken: hint: ", next)
	}
	return code
}

// say writes one line to standard error. Several lines of text (a configuration
// with several faults) keep their prefix on each.
func (a *app) say(prefix, text string) {
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		fmt.Fprintln(a.env.Stderr, prefix+termsafe.Line(line))
	}
}

// warn tells a fault that did not stop the answer.
func (a *app) warn(err error) {
	_, next, _ := verdict(err)
	a.say("ken: warning: ", err.Error())
	if next != "" {
		a.say("ken: hint: ", next)
	}
}

// status tells what ken did unasked, unless that was not wanted.
func (a *app) status(format string, args ...any) {
	if a.flags.quiet || a.cfg != nil && a.cfg.UI.Quiet {
		return
	}
	a.say("[ken] ", fmt.Sprintf(format, args...))
}

// verdict finds the exit code of an error, and the next step.
func verdict(err error) (code int, next string, silent bool) {
	var (
		typed  *exitError
		model  *llm.Error
		secret *engine.SecretError
		kind   *engine.KindError
		conf   *config.Error
		hinted interface{ Hint() string }
	)
	switch {
	case errors.As(err, &typed):
		code, next, silent = typed.code, typed.next, typed.said
		if next != "" || silent {
			return code, next, silent
		}
		_, next, _ = verdict(typed.err)
		return code, next, false
	case errors.Is(err, syscall.EPIPE):
		return exitClosedPipe, "", true
	case errors.As(err, &model):
		return modelCode(model), model.Hint(), model.Kind == llm.Cancelled
	case errors.Is(err, context.Canceled), errors.Is(err, repl.ErrInterrupted):
		return exitInterrupted, "", true
	case errors.As(err, &conf):
		return exitUsage, "", false
	case errors.As(err, &kind):
		return exitUsage, "", false
	case errors.As(err, &secret):
		return exitRefused, "to keep it all the same, in your file and masked towards models: add --force", false
	case errors.Is(err, repl.ErrNoTerminal):
		return exitRefused, "say yes beforehand: add --yes", false
	case errors.As(err, &hinted):
		return exitFailure, hinted.Hint(), false
	}
	return exitFailure, hintFor(err), false
}

func modelCode(e *llm.Error) int {
	switch e.Kind {
	case llm.Incomplete:
		return exitIncomplete
	case llm.Cancelled:
		return exitInterrupted
	}
	return exitModel
}

// hintFor is the next step after an error that does not know it itself.
func hintFor(err error) string {
	switch {
	case errors.Is(err, engine.ErrNotActive):
		return "see what there is: ken memory list"
	case errors.Is(err, memory.ErrBusy):
		return "another ken is writing; try again"
	case errors.Is(err, memory.ErrForeign):
		return "this file was begun by another device; set memory.path, or move the file to peers/"
	case errors.Is(err, session.ErrHeld):
		return "close it there first, or go on with a copy: --fork"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return "check the owner and mode of that file and its directory, or set KEN_HOME to a place of your own"
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "the disk is full: nothing was written; free some space and say it again"
	}
	return ""
}
