package fault

import (
	"errors"
	"fmt"
)

// A Kind is what a person or a program can do about an error: it says to the faces
// apart what they answer differently.
type Kind int

// The kinds.
const (
	Failure     Kind = iota // it did not work; nothing more is known
	Usage                   // what was asked for makes no sense: ask otherwise
	NotFound                // there is no such thing
	Refused                 // a person, a policy or a setting says no
	Model                   // no model, or none that answers
	Limit                   // a budget, a number of turns or a time is used up
	Incomplete              // an answer ended before its end
	Interrupted             // the person stopped it
	NotStarted              // a program that was to run could not be started
)

// String returns the name of the kind, in lower case.
func (k Kind) String() string {
	switch k {
	case Usage:
		return "usage"
	case NotFound:
		return "not found"
	case Refused:
		return "refused"
	case Model:
		return "model"
	case Limit:
		return "limit"
	case Incomplete:
		return "incomplete"
	case Interrupted:
		return "interrupted"
	case NotStarted:
		return "not started"
	}
	return "failure"
}

// An Error is an error of a kind, with the next step where one is known.
type Error struct {
	Kind Kind
	Err  error // the cause, which is also the text
	next Text
}

// New is err as an error of a kind.
func New(k Kind, err error) *Error { return &Error{Kind: k, Err: err} }

// Usagef says that what was asked for makes no sense.
func Usagef(format string, args ...any) *Error { return New(Usage, fmt.Errorf(format, args...)) }

// Failuref says that something did not work.
func Failuref(format string, args ...any) *Error { return New(Failure, fmt.Errorf(format, args...)) }

// NotFoundf says that there is no such thing.
func NotFoundf(format string, args ...any) *Error { return New(NotFound, fmt.Errorf(format, args...)) }

// Refusedf says that a person, a policy or a setting does not allow it.
func Refusedf(format string, args ...any) *Error { return New(Refused, fmt.Errorf(format, args...)) }

// Modelf says that no model gave an answer that is of use.
func Modelf(format string, args ...any) *Error { return New(Model, fmt.Errorf(format, args...)) }

// Incompletef says that an answer ended before its end.
func Incompletef(format string, args ...any) *Error {
	return New(Incomplete, fmt.Errorf(format, args...))
}

// WithHint sets the next step, one line in the imperative, and returns e.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.next = Textf(format, args...)
	return e
}

// Error returns the text of the cause.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap is the cause.
func (e *Error) Unwrap() error { return e.Err }

// Hint returns the next step as the command line writes it; "" if none was set.
func (e *Error) Hint() string { return e.next.String() }

// Next is Hint for a face that writes the commands of ken in its own way.
func (e *Error) Next() Text { return e.next }

// KindOf returns the kind of the first Error in the tree of err; Failure if there is
// none.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Failure
}
