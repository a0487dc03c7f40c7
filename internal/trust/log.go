package trust

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"

	"ken/internal/jsonl"
	"ken/internal/memory"
)

// byDigits is how many digits of a file's SHA-256 stand in By.
const byDigits = 16

// By returns the human act that lets in the items of f: "trust:" and the beginning
// of its SHA-256.
func (f File) By() string { return "trust:" + f.SHA256[:min(byDigits, len(f.SHA256))] }

// ErrReadOnly says that a repository's log is not written to.
var ErrReadOnly = errors.New("a repository's log is only read")

// Open is f as a log that holds what was read, whatever becomes of the file. It
// is to be folded with the ceiling memory.OriginExternal.
//
// Items that name no scope, or the user's, hold in the repository: scope. Where
// something was said is left out, since it names conversations of others.
func (f File) Open(scope string) memory.Log { return &log{f.Log, f.Text, memory.Scope(scope)} }

// A log is the bytes of a file as a memory.Log. Its cursors are offsets.
type log struct {
	name  string
	text  []byte
	scope memory.Scope
}

// Records implements memory.Log.
func (l *log) Records(ctx context.Context, after memory.Cursor) iter.Seq2[memory.Placed, error] {
	return func(yield func(memory.Placed, error) bool) {
		from, ok := l.offset(after)
		if !ok {
			yield(memory.Placed{}, fmt.Errorf("read the repository's log %s: %w", l.name, memory.ErrStale))
			return
		}
		parser := memory.NewParser()
		for line, err := range jsonl.Lines(bytes.NewReader(l.text), memory.MaxLine) {
			if err == nil && line.Number%1024 == 0 {
				err = ctx.Err()
			}
			if err != nil {
				yield(memory.Placed{}, fmt.Errorf("read the repository's log %s: %w", l.name, err))
				return
			}
			if line.Offset < from {
				continue
			}
			e := l.entry(parser, line)
			if e.Bad == nil && e.Meta == nil && e.Record.Kind == "" {
				continue // blank
			}
			err = nil
			if e.Bad != nil {
				err = e.Bad
			}
			if !yield(memory.Placed{Entry: e, At: memory.Cursor(strconv.FormatInt(line.End.Offset, 10))}, err) {
				return
			}
		}
	}
}

// offset is the place of a cursor; ok is false if no line begins there.
func (l *log) offset(c memory.Cursor) (n int64, ok bool) {
	if c == "" {
		return 0, true
	}
	n, err := strconv.ParseInt(string(c), 10, 64)
	inside := err == nil && n > 0 && n <= int64(len(l.text))
	return n, inside && (n == int64(len(l.text)) || l.text[n-1] == '\n')
}

// entry is what a line says.
func (l *log) entry(parser *memory.Parser, line jsonl.Line) memory.Entry {
	var e memory.Entry
	if line.Bytes == nil {
		e = memory.Entry{Record: new(memory.Record), Bad: &memory.LineError{
			Cause: fmt.Errorf("%d bytes, more than the %d that a line may have", line.Len, memory.MaxLine),
		}}
	} else {
		e = parser.Line(line.Bytes)
	}
	e.Line = line.Number
	if e.Bad != nil {
		e.Bad.Log, e.Bad.Line, e.Bad.Offset, e.Bad.Len = l.name, line.Number, line.Offset, line.Len
		e.Bad.Torn = !line.Ended
		return e
	}
	l.bind(e.Record)
	return e
}

// bind makes a record one of the repository.
func (l *log) bind(r *memory.Record) {
	r.Source = nil
	user := r.Scope == "" || r.Scope == memory.ScopeUser
	switch {
	case r.Kind != memory.KindEdit:
		if user && r.States() {
			r.Scope = l.scope
		}
	case r.Scope == memory.ScopeUser:
		r.Scope = l.scope
	case slices.Contains(r.Details().Clear, "scope"):
		d := r.Details()
		d.Clear = slices.DeleteFunc(slices.Clone(d.Clear), func(name string) bool { return name == "scope" })
		r.Scope, r.Detail = l.scope, &d
	}
}

// Append implements memory.Log: it refuses.
func (l *log) Append(context.Context, memory.Cursor, func([]memory.Entry) ([]memory.Record, error)) (memory.Cursor, error) {
	return "", fmt.Errorf("append to the repository's log %s: %w", l.name, ErrReadOnly)
}

// Erase implements memory.Log: it refuses.
func (l *log) Erase(context.Context, ...memory.ID) (memory.Cursor, error) {
	return "", fmt.Errorf("erase in the repository's log %s: %w", l.name, ErrReadOnly)
}
