package fault

import "errors"

// A Note is an event: something that the program did, or met, unasked, and that a
// person may want to know of. Text is such a note.
type Note interface {
	// In is the event in one line, with the commands of ken as verb writes them;
	// nil writes them as on a command line.
	In(verb func(Command) string) string
}

// A Voice is what code below the faces speaks through. The zero Voice is silent.
type Voice struct {
	OnWarn func(error) // takes a fault that did not stop the work; nil: nobody listens
	OnNote func(Note)  // takes what was done unasked; nil: nobody listens
}

// Warn hands on a fault that did not stop the work; nil is none.
func (v Voice) Warn(err error) {
	if v.OnWarn != nil && err != nil {
		v.OnWarn(err)
	}
}

// Note hands on what was done unasked.
func (v Voice) Note(n Note) {
	if v.OnNote != nil {
		v.OnNote(n)
	}
}

// Notef is Note with a line made by Textf.
func (v Voice) Notef(format string, args ...any) {
	v.Note(Textf(format, args...))
}

// A repeated error is one that is shown once in a run.
type repeated struct{ error }

func (r repeated) Unwrap() error { return r.error }

// Once marks a fault that is met again and again: a face shows it once. nil stays
// nil.
func Once(err error) error {
	if err == nil {
		return nil
	}
	return repeated{err}
}

// IsOnce reports whether err was marked by Once.
func IsOnce(err error) bool {
	var r repeated
	return errors.As(err, &r)
}

// A detail is a fault for who wants to know all.
type detail struct{ error }

func (d detail) Unwrap() error { return d.error }

// Detail marks a fault that costs nobody anything: a face shows it to who asked for
// more. nil stays nil.
func Detail(err error) error {
	if err == nil {
		return nil
	}
	return detail{err}
}

// IsDetail reports whether err was marked by Detail.
func IsDetail(err error) bool {
	var d detail
	return errors.As(err, &d)
}

// An aside is an event for who wants to know all.
type aside struct{ Note }

// Aside marks an event that a face shows to who asked for more.
func Aside(n Note) Note { return aside{n} }

// IsAside reports whether n was marked by Aside.
func IsAside(n Note) bool {
	_, ok := n.(aside)
	return ok
}
