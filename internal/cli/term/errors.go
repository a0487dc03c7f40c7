package term

import (
	"context"
	"errors"
	"io/fs"
	"syscall"

	"ken/internal/config"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/llm"
	"ken/internal/memory"
	"ken/internal/models"
	"ken/internal/repl"
	"ken/internal/session"
)

// Exit codes, as the comment of package cli lists them.
const (
	ExitFailure     = 1
	ExitUsage       = 2
	ExitModel       = 3
	ExitRefused     = 4
	ExitLimit       = 5
	ExitIncomplete  = 6
	ExitInterrupted = 130
	ExitClosedPipe  = 141
	ExitNotRun      = 127 // of a command line whose shell is not there
)

// exitOf is the exit code of a kind of error.
func exitOf(k fault.Kind) int {
	switch k {
	case fault.Usage:
		return ExitUsage
	case fault.Refused:
		return ExitRefused
	case fault.Model:
		return ExitModel
	case fault.Limit:
		return ExitLimit
	case fault.Incomplete:
		return ExitIncomplete
	case fault.Interrupted:
		return ExitInterrupted
	case fault.NotStarted:
		return ExitNotRun
	}
	return ExitFailure // also of NotFound
}

// An exitError is an error with an exit code that no kind has: that of a child.
type exitError struct {
	code int
	err  error
	told bool // the person has seen it
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

// Exit is err with the exit code of something that ran.
func Exit(code int, err error) error { return &exitError{code: code, err: err} }

// Reported marks an error as reported, so that only its exit code is left; nil stays
// nil.
func Reported(err error) error {
	if err == nil {
		return nil
	}
	code, _, _ := verdict(err, nil)
	return &exitError{code: code, err: err, told: true}
}

// own finds the first error in the tree of err by which ken says what it comes to.
func own(err error) (typed *fault.Error, exit *exitError) {
	switch e := err.(type) { //nolint:errorlint // this is the walk
	case *fault.Error:
		return e, nil
	case *exitError:
		return nil, e
	case interface{ Unwrap() error }:
		return own(e.Unwrap())
	case interface{ Unwrap() []error }:
		for _, err := range e.Unwrap() {
			if typed, exit := own(err); typed != nil || exit != nil {
				return typed, exit
			}
		}
	}
	return nil, nil
}

// HasVerdict reports whether ken itself said what err comes to, rather than a library.
func HasVerdict(err error) bool {
	typed, exit := own(err)
	return typed != nil || exit != nil
}

// verdict finds the exit code of an error, and the next step, with commands as verb
// writes them. Silent is what the person did themselves or has seen already.
func verdict(err error, verb func(fault.Command) string) (code int, next string, silent bool) {
	var (
		model  *llm.Error
		secret *engine.SecretError
		kind   *engine.KindError
		barred *engine.RefusedError
		conf   *config.Error
		none   *models.Error
		key    *models.KeyError
		step   interface{ Next() fault.Text }
		hinted interface{ Hint() string }
	)
	switch typed, exit := own(err); {
	case exit != nil && exit.told:
		return exit.code, "", true
	case exit != nil:
		_, next, _ = verdict(exit.err, verb)
		return exit.code, next, false
	case typed != nil:
		if next = typed.Next().In(verb); next == "" {
			_, next, _ = verdict(typed.Err, verb)
		}
		return exitOf(typed.Kind), next, false
	case errors.Is(err, syscall.EPIPE):
		return ExitClosedPipe, "", true
	case errors.As(err, &model) && model.Kind == llm.Callback: // of whoever took the answer
		return verdict(model.Unwrap(), verb)
	case errors.As(err, &model):
		return modelCode(model), model.Hint(), model.Kind == llm.Cancelled
	case errors.Is(err, context.Canceled), errors.Is(err, repl.ErrInterrupted):
		return ExitInterrupted, "", true
	case errors.As(err, &none) && none.Missing:
		return ExitModel, none.Next().In(verb), false
	case errors.As(err, &none):
		return ExitUsage, none.Next().In(verb), false
	case errors.As(err, &key):
		_, next, _ = verdict(key.Err, verb)
		return ExitModel, next, false
	case errors.As(err, &barred):
		return ExitRefused, barred.Hint(), false
	case errors.Is(err, engine.ErrTextOnly):
		return ExitRefused, "", false
	case errors.As(err, &conf):
		return ExitUsage, fault.Textf("change the file: %s; or put a value back: %s",
			fault.Command("config edit"), fault.Command("config set --unset KEY")).In(verb), false
	case errors.As(err, &kind):
		return ExitUsage, nearKind(kind.Kind), false
	case errors.As(err, &secret):
		return ExitRefused, "to keep it all the same, in your file and masked towards models: add --force", false
	case errors.Is(err, repl.ErrNoTerminal):
		return ExitRefused, "say yes beforehand: add --yes", false
	case errors.As(err, &step):
		return ExitFailure, step.Next().In(verb), false
	case errors.As(err, &hinted):
		return ExitFailure, hinted.Hint(), false
	}
	return ExitFailure, hintFor(err, verb), false
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
func hintFor(err error, verb func(fault.Command) string) string {
	switch {
	case errors.Is(err, engine.ErrNotActive):
		return fault.Textf("see what there is: %s", fault.Command("memory list")).In(verb)
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
