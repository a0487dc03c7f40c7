package memory

import (
	"context"
	"errors"
	"fmt"
	"iter"
)

// A Log is the truth: everything else can be rebuilt from it.
//
// A Log has one writer at a time and any number of readers. Its lines are
// never reordered; only Erase changes a line that was appended. Conformance is
// tested by package logtest.
type Log interface {
	// Records yields what follows after, each Entry with the position just
	// behind it. A line that cannot be read yields an Entry with At set and a
	// *LineError, and the loop goes on. If after is no longer in the log (a
	// person edited the file, an erase rewrote it) the first error is
	// ErrStale, and nothing follows: start again from the zero Cursor. Any
	// other error ends the loop.
	Records(ctx context.Context, after Cursor) iter.Seq2[Placed, error]

	// Append hands plan what follows at while nobody else can append, and
	// writes the records that plan returns, all or none, durably: when Append
	// returns without error they survive a crash. plan assigns the ids, one
	// above the largest that any line names (Tail). Lines that cannot be read
	// are handed to plan as entries with Bad set. plan may be called again
	// when another writer got in between. If at is no longer in the log the
	// error is ErrStale and plan is not called. An error of plan ends Append
	// with that error, and nothing is written.
	Append(ctx context.Context, at Cursor, plan func(later []Entry) ([]Record, error)) (Cursor, error)

	// Erase turns the stating and edit lines of the ids into erased lines:
	// {id, erased}, or {erased, target} with the sealed name of a line without id, where
	// a Seal is given. Other lines that name them stay, losing only free text
	// (reason). Unreadable lines that hold the erased text are erased too.
	Erase(ctx context.Context, id ...ID) (Cursor, error)
}

// A Tipper is a Log that knows its end without being read: where it ends
// and the largest number that any of its lines names. With it an append need
// not fold the log. Logs without it are read once instead.
type Tipper interface {
	Tip(ctx context.Context) (Tip, error)
}

// A Tip is the end of a log.
type Tip struct {
	At    Cursor
	MaxID int64  // the largest integer that any line names as id or target
	Name  string // the log's name; "" if it has none yet
}

// A Cursor is a position between two lines of a log. It is opaque, comparable,
// and may be stored. The zero Cursor is the start of every log.
type Cursor string

// A Placed is a line with the position just behind it.
type Placed struct {
	Entry
	At Cursor
}

// An Entry is one line as read from a log. It is small, since a memory keeps that of each
// line.
type Entry struct {
	Line   int        // the line's number in the log, from 1; 0 if the log has none
	Record *Record    // never nil; zero if Meta or Bad is set. Others may share it: it must not be changed
	Meta   *Meta      // set if the line is the log's header
	Bad    *LineError // set if the line could not be read
	notes  *[]string  // see Notes; nil: there are none
	Sum    Sum        // of the line's bytes, for traces; zero if it is blank
}

// Notes say what was ignored on a line that could be read: wrong types of optional fields.
func (e Entry) Notes() []string {
	if e.notes == nil {
		return nil
	}
	return *e.notes
}

// MaxID returns the largest integer that the line names as its id or target,
// also where the line cannot be read; 0 if it names none.
func (e Entry) MaxID() int64 {
	if e.Bad != nil {
		return e.Bad.MaxID
	}
	return e.Record.MaxID()
}

// MaxID returns the largest integer that the record names as its own id or as a
// target in its own log; 0 if it names none.
func (r *Record) MaxID() int64 {
	n := int64(0)
	if r.ID.Log == "" {
		n = r.ID.N
	}
	for t := range r.targets {
		if t.Log == "" {
			n = max(n, t.N)
		}
	}
	return n
}

// A LineError is a line that could not be read. It is reported, never removed.
type LineError struct {
	Log    string // the log's name, if known
	Line   int    // from 1
	Offset int64  // of the line's first byte
	Len    int64  // in bytes, without line end
	Torn   bool   // the last line, without line end: an append that was cut off
	MaxID  int64  // the largest integer that it seems to name as id or target
	Cause  error
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Cause) }
func (e *LineError) Unwrap() error { return e.Cause }

// reason is the cause without the line's number.
func (e *LineError) reason() string {
	if e.Torn {
		return fmt.Sprintf("cut off at the end of the file: %v", e.Cause)
	}
	return fmt.Sprint(e.Cause)
}

var (
	// ErrStale says that a cursor is no longer in its log: read it again from
	// the zero Cursor.
	ErrStale = errors.New("the log changed before this position")
	// ErrForeign says that the log is another device's and takes no lines
	// from this one.
	ErrForeign = errors.New("the log belongs to another device")
	// ErrBusy says that another process held the lock for longer than the
	// caller would wait.
	ErrBusy = errors.New("another process holds the lock")
)
