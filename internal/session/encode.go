package session

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"ken/internal/jsonl"
)

// ErrTooLong says that a line would be longer than MaxLine. Nothing of it was
// kept.
var ErrTooLong = fmt.Errorf("longer than %d MiB", MaxLine>>20)

// Line returns h as a line with its line end.
func (h Header) Line() ([]byte, error) {
	e := encoder{b: []byte(`{"meta":{`)}
	e.number("format", h.Format)
	e.text("session", h.Session)
	e.time("started", h.Started)
	e.text("model", h.Model)
	e.text("ken_version", h.KenVersion)
	e.text("channel", string(h.Channel))
	e.text("agent", h.Agent)
	e.text("scope", h.Scope)
	e.text("copied_from", h.CopiedFrom)
	e.number("copied_to", h.CopiedTo)
	e.fields(h.Extra)
	e.b = append(e.b, '}')
	return e.line("meta")
}

// Line returns t as a line with its line end.
func (t Turn) Line() ([]byte, error) {
	e := encoder{b: []byte{'{'}}
	e.time("ts", t.Time)
	e.text("role", string(t.Role))
	e.name("content")
	e.b = jsonl.AppendString(e.b, t.Content)
	e.number("n", t.N)
	e.text("scope", t.Scope)
	e.text("model", t.Model)
	e.text("finish", t.Finish)
	e.raw("usage", t.Usage)
	e.raw("tool_calls", t.ToolCalls)
	e.text("tool_call_id", t.ToolCallID)
	e.raw("attached", t.Attached)
	if len(t.Raw) > 0 {
		e.name("raw")
		e.b = append(e.b, '{')
		for _, name := range slices.Sorted(maps.Keys(t.Raw)) {
			e.value(name, t.Raw[name])
		}
		e.b = append(e.b, '}')
	}
	e.text("from", t.From)
	if t.Recalled {
		e.raw("recalled", json.RawMessage("true"))
	}
	e.text("speaker", t.Speaker)
	if t.Nudge {
		e.raw("nudge", json.RawMessage("true"))
	}
	e.fields(t.Extra)
	return e.line("role")
}

// line returns e as a line with its line end.
func (e Event) line() ([]byte, error) {
	enc := encoder{b: []byte{'{'}}
	enc.time("ts", e.Time)
	enc.text("event", e.Name)
	enc.fields(e.Fields)
	return enc.line("event")
}

// An encoder writes one line. Its first error is final.
type encoder struct {
	b   []byte
	err error
}

func (e *encoder) name(name string) {
	if e.b[len(e.b)-1] != '{' {
		e.b = append(e.b, ',')
	}
	e.b = append(jsonl.AppendString(e.b, name), ':')
}

// text, number, time and raw leave out what is zero.

func (e *encoder) text(name, s string) {
	if s != "" {
		e.name(name)
		e.b = jsonl.AppendString(e.b, s)
	}
}

func (e *encoder) number(name string, n int) {
	if n != 0 {
		e.name(name)
		e.b = strconv.AppendInt(e.b, int64(n), 10)
	}
}

func (e *encoder) time(name string, t time.Time) {
	// RFC 3339 has no year beyond 9999. A clock that is as wrong as that says
	// nothing.
	if t = t.UTC(); t.IsZero() || t.Year() < 0 || t.Year() > 9999 {
		return
	}
	e.name(name)
	e.b = append(t.AppendFormat(append(e.b, '"'), time.RFC3339), '"')
}

func (e *encoder) raw(name string, v json.RawMessage) {
	if len(v) > 0 {
		e.value(name, v)
	}
}

func (e *encoder) fields(fields []Field) {
	for _, f := range fields {
		e.value(f.Name, f.Value)
	}
}

// value writes a value as it stands, null if it is empty. A line end in it can
// only stand between two tokens, where it means no more than a space.
func (e *encoder) value(name string, v json.RawMessage) {
	v = bytes.Trim(v, " \t\r\n")
	if len(v) == 0 {
		v = json.RawMessage("null")
	}
	if !json.Valid(v) {
		e.err = cmp.Or(e.err, fmt.Errorf("%s is not JSON", name))
		return
	}
	e.name(name)
	from := len(e.b)
	e.b = append(e.b, v...)
	for i, c := range e.b[from:] {
		if c == '\n' || c == '\r' {
			e.b[from+i] = ' '
		}
	}
}

// line ends the line. It is read once more, so that none is written that would
// not be read as what it is meant to be: without what says what it is, with a
// value of a wrong type or nested too deep, with a name that is taken.
func (e *encoder) line(kind string) ([]byte, error) {
	b := append(e.b, '}')
	if e.err != nil {
		return nil, e.err
	}
	if len(b) > MaxLine {
		return nil, ErrTooLong
	}
	got, fields, err := scanLine(b, nil)
	if err != nil {
		return nil, err
	}
	if got != kind {
		return nil, fmt.Errorf("a further field may not be named %s", got)
	}
	l, err := parseFields(kind, fields)
	if err == nil && len(l.notes) > 0 {
		err = errors.New(strings.Join(l.notes, "; "))
	}
	return append(b, '\n'), err
}
