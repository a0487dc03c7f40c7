package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"ken/internal/agent"
	"ken/internal/config"
	"ken/internal/engine"
	"ken/internal/llm"
	"ken/internal/memory"
	"ken/internal/repl"
	"ken/internal/session"
)

// Exit codes, as the comment of package cli lists them.
const (
	ExitFailure     = 1
	ExitUsage       = 2
	ExitModel       = 3
	ExitRefused     = 4
	ExitIncomplete  = 6
	ExitInterrupted = 130
	ExitClosedPipe  = 141
	ExitNotRun      = 127 // of a command line whose shell is not there
)

// An ExitError is an error with the exit code it asks for and, where one is
// known, the next step.
type ExitError struct {
	code int
	err  error
	next string
	told bool // the person was told already
}

func (e *ExitError) Error() string { return e.err.Error() }
func (e *ExitError) Unwrap() error { return e.err }

// Hint sets the next step, one line in the imperative, and returns e.
func (e *ExitError) Hint(format string, args ...any) *ExitError {
	e.next = fmt.Sprintf(format, args...)
	return e
}

// Fail is err with an exit code.
func Fail(code int, err error) *ExitError { return &ExitError{code: code, err: err} }

// Failf is an error made of format with an exit code.
func Failf(code int, format string, args ...any) *ExitError {
	return Fail(code, fmt.Errorf(format, args...))
}

// Usage is an error in what was typed.
func Usage(format string, args ...any) *ExitError { return Failf(ExitUsage, format, args...) }

// Told marks an error as told, so that only its exit code is left; nil stays
// nil.
func Told(err error) error {
	if err == nil {
		return nil
	}
	code, _, _ := verdict(err)
	return &ExitError{code: code, err: err, told: true}
}

// NextStep is what to do after err; "" if that is not known.
func NextStep(err error) string {
	_, next, _ := verdict(err)
	return next
}

// verdict finds the exit code of an error, and the next step. Silent is what
// the person did themselves or was told already.
func verdict(err error) (code int, next string, silent bool) {
	var (
		typed  *ExitError
		model  *llm.Error
		secret *engine.SecretError
		kind   *engine.KindError
		barred *engine.RefusedError
		conf   *config.Error
		none   *agent.ModelError
		key    *agent.KeyError
		hinted interface{ Hint() string }
	)
	switch {
	case errors.As(err, &typed):
		if typed.next == "" && !typed.told {
			_, next, _ = verdict(typed.err)
			return typed.code, next, false
		}
		return typed.code, typed.next, typed.told
	case errors.Is(err, syscall.EPIPE):
		return ExitClosedPipe, "", true
	case errors.As(err, &model):
		return modelCode(model), model.Hint(), model.Kind == llm.Cancelled
	case errors.Is(err, context.Canceled), errors.Is(err, repl.ErrInterrupted):
		return ExitInterrupted, "", true
	case errors.As(err, &none) && none.Missing:
		return ExitModel, none.Hint(), false
	case errors.As(err, &none):
		return ExitUsage, none.Hint(), false
	case errors.As(err, &key):
		_, next, _ = verdict(key.Err)
		return ExitModel, next, false
	case errors.As(err, &barred):
		return ExitRefused, barred.Hint(), false
	case errors.Is(err, engine.ErrTextOnly):
		return ExitRefused, "", false
	case errors.As(err, &conf):
		return ExitUsage, "", false
	case errors.As(err, &kind):
		return ExitUsage, nearKind(kind.Kind), false
	case errors.As(err, &secret):
		return ExitRefused, "to keep it all the same, in your file and masked towards models: add --force", false
	case errors.Is(err, repl.ErrNoTerminal):
		return ExitRefused, "say yes beforehand: add --yes", false
	case errors.As(err, &hinted):
		return ExitFailure, hinted.Hint(), false
	}
	return ExitFailure, hintFor(err), false
}

// nearKind is the next step after a kind that does not exist.
func nearKind(k memory.Kind) string {
	names := make([]string, 0, len(memory.StatingKinds()))
	for _, k := range memory.StatingKinds() {
		names = append(names, string(k))
	}
	if near := Near(string(k), names); len(near) > 0 {
		return "did you mean " + Or(near) + "?"
	}
	return ""
}

func modelCode(e *llm.Error) int {
	switch e.Kind {
	case llm.Incomplete:
		return ExitIncomplete
	case llm.Cancelled:
		return ExitInterrupted
	}
	return ExitModel
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
		return "close it there first, or go on with a copy: ken ask -c --fork; in the shell :resume --fork"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return "check the owner and mode of that file and its directory, or set KEN_HOME to a place of your own"
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "the disk is full: nothing was written; free some space and say it again"
	}
	return ""
}
