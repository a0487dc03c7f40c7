package foreign

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"ken/internal/jsonl"
	"ken/internal/session"
	"ken/internal/termsafe"
)

// A Turn is one line of a transcript.
type Turn struct {
	Session string
	// Given is the session's value on the line where that is no string: a number.
	Given json.RawMessage
	// Name is what the transcript calls the turn: a number or a string, verbatim.
	Name    json.RawMessage
	Time    time.Time // zero if the line has none
	Role    session.Role
	Speaker string
	Text    string
	Scope   string          // never empty
	Extra   []session.Field // what is not known, in the order of the line
}

// A LineError is a line, or a part of one, that was left out.
type LineError struct {
	Line int // from 1
	// Offset is the byte at which a part begins that does not begin the file,
	// where all of it stands on one line; else 0.
	Offset int64
	Cause  error
}

func (e *LineError) Error() string {
	if e.Offset > 0 {
		return fmt.Sprintf("line %d, byte %d: %v", e.Line, e.Offset, e.Cause)
	}
	return fmt.Sprintf("line %d: %v", e.Line, e.Cause)
}

func (e *LineError) Unwrap() error { return e.Cause }

// maxName is the longest name of a session or a turn, in bytes.
const maxName = 512

// Options say how a file is read.
type Options struct {
	// Scope is that of what names none; "" is user, the scope of what holds
	// everywhere.
	Scope string
	// File is the path of the file. What has no name is called after it; it is
	// not opened.
	File string
	// Time is when the file was written, if that is known and the file itself
	// does not say more.
	Time time.Time
	// Dir is the scope of a directory that a transcript names; nil: that of
	// Scope.
	Dir func(dir string) string
	// Mask replaces the secrets in a text; nil: nothing is looked for.
	Mask func(string) string
}

// ReadTurns reads a transcript. Lines that are no turns are in bad, in the order
// of the file; blank lines are neither. The error is that of r.
func ReadTurns(r io.Reader, o Options) (turns []Turn, bad []*LineError, err error) {
	o.Scope = cmp.Or(o.Scope, "user")
	if o.Mask == nil {
		o.Mask = func(s string) string { return s }
	}
	for l, err := range jsonl.Lines(r, session.MaxLine) {
		if err != nil {
			return nil, nil, fmt.Errorf("read transcript: %w", err)
		}
		if l.Bytes != nil && len(bytes.TrimSpace(l.Bytes)) == 0 {
			continue
		}
		t, cause := o.turn(l.Bytes)
		if cause != nil {
			bad = append(bad, &LineError{Line: l.Number, Cause: cause})
			continue
		}
		turns = append(turns, t)
	}
	return turns, bad, nil
}

// turn reads one line; nil is one that is too long.
func (o Options) turn(line []byte) (Turn, error) {
	t := Turn{Scope: o.Scope, Role: session.RoleUser}
	if line == nil {
		return t, session.ErrTooLong
	}
	fields, twice, err := jsonl.Fields(line, nil)
	if err != nil {
		return t, err
	}
	if len(twice) > 0 {
		return t, fmt.Errorf("%s stands there twice", twice[0])
	}
	for _, f := range fields {
		if err := o.field(&t, string(f.Name), f.Value); err != nil {
			return t, err
		}
	}
	switch {
	case t.Session == "":
		return t, errors.New("no session")
	case t.Name == nil:
		return t, errors.New("no turn")
	case strings.TrimSpace(t.Text) == "":
		return t, errors.New("no text")
	}
	t.Text = o.Mask(termsafe.Clean(t.Text))
	t.Speaker = o.Mask(termsafe.Line(t.Speaker))
	return t, nil
}

// field reads one field into t. null is a field that is not there.
func (o Options) field(t *Turn, name string, v jsonl.Value) error {
	if v.Null() {
		return nil
	}
	ok := true
	switch name {
	case "session":
		text, given, err := o.name(v)
		if err != nil {
			return fmt.Errorf("session: %w", err)
		}
		if t.Session = text; v.Type() != "string" {
			t.Given = given
		}
	case "turn":
		_, given, err := o.name(v)
		if err != nil {
			return fmt.Errorf("turn: %w", err)
		}
		t.Name = given
	case "ts":
		if t.Time, ok = readTime(v); !ok {
			return fmt.Errorf("ts: want a time like 2026-05-13T19:01:01Z, got %s", v.Show())
		}
	case "speaker":
		t.Speaker, ok = v.Text()
	case "text":
		t.Text, ok = v.Text()
	case "role":
		var role string
		role, ok = v.Text()
		if t.Role = session.Role(role); ok && (role == "" || o.unsafe(role)) {
			return errors.New("role: not a name")
		}
	case "scope":
		if t.Scope, ok = v.Text(); ok && (t.Scope == "" || o.unsafe(t.Scope)) {
			return errors.New("scope: not a name")
		}
	default:
		return o.further(t, name, v)
	}
	if !ok {
		return fmt.Errorf("%s: want a string, got %s", name, v.Show())
	}
	return nil
}

// name reads what a session or a turn is called: a string or a whole number. A
// name is kept as it is, so it must not need to be cleaned or masked.
func (o Options) name(v jsonl.Value) (text string, given json.RawMessage, err error) {
	text, ok := v.Text()
	if _, whole := v.Int(); !ok && whole {
		text, ok = string(v), true
	}
	switch {
	case !ok:
		return "", nil, fmt.Errorf("want a string or a whole number, got %s", v.Show())
	case text == "" || len(text) > maxName || o.unsafe(text):
		return "", nil, fmt.Errorf("not a name of 1 to %d bytes without control characters and secrets", maxName)
	}
	return text, bytes.Clone(v), nil
}

// unsafe reports whether a name could not be written as it is.
func (o Options) unsafe(name string) bool {
	return !utf8.ValidString(name) || termsafe.Line(name) != name || o.Mask(name) != name
}

// further keeps a field that is not known, under a name that no line of a
// session has.
func (o Options) further(t *Turn, name string, v jsonl.Value) error {
	if o.unsafe(name) || o.Mask(string(v)) != string(v) {
		text, ok := v.Text()
		if !ok || o.unsafe(name) {
			return fmt.Errorf("%s: seems to hold a secret", termsafe.Line(o.Mask(name)))
		}
		v = jsonl.AppendString(nil, o.Mask(text))
	}
	t.Extra = append(t.Extra, session.Field{Name: "given_" + name, Value: bytes.Clone(v)})
	return nil
}
