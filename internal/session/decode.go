package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"time"

	"ken/internal/jsonl"
)

// A line is what parseLine makes of one line: exactly one of header, turn and
// event is set.
type line struct {
	header *Header
	turn   *Turn
	event  *Event
	notes  []string // what was ignored: optional fields of a wrong type
}

// parseLine reads one line. Nothing of the result shares memory with b.
func parseLine(b []byte) (line, error) {
	kind, fields, err := scanLine(b, nil)
	if err != nil {
		return line{}, err
	}
	return parseFields(kind, fields)
}

// parseFields reads what scanLine cut.
func parseFields(kind string, fields []jsonl.Field) (line, error) {
	switch kind {
	case "role":
		return parseTurn(fields)
	case "event":
		return parseEvent(fields)
	}
	return parseHeader(fields)
}

// scanLine cuts a line into its fields, which it appends to buf, and returns what
// it is by the field that says so: a line with a "role" is a turn, one with an
// "event" and no role an event, one with neither but "meta" a header. Anything
// else cannot be read.
func scanLine(b []byte, buf []jsonl.Field) (kind string, fields []jsonl.Field, err error) {
	for f, err := range jsonl.Object(b) {
		if err != nil {
			return "", nil, syntaxError(b, err)
		}
		buf, kind = append(buf, f), kindBy(kind, f)
	}
	if kind == "" {
		return "", nil, errors.New("neither a turn (no role) nor an event")
	}
	return kind, buf, nil
}

// kindBy is what a line is by one more of its fields; "" if none says so yet.
func kindBy(kind string, f jsonl.Field) string {
	if f.Value.Null() {
		return kind
	}
	switch string(f.Name) {
	case "role":
		return "role"
	case "event":
		if kind != "role" {
			return "event"
		}
	case "meta":
		if kind == "" {
			return "meta"
		}
	}
	return kind
}

// syntaxError says in a person's words what a line that is no object may be.
func syntaxError(b []byte, err error) error {
	switch b = bytes.TrimSpace(b); {
	case len(b) == 0:
		return errors.New("nothing on it")
	case b[0] == 0:
		return errors.New("NUL bytes: space that a crash left unwritten")
	case b[0] != '{':
		return errors.New("not a JSON object")
	}
	return err
}

func parseTurn(fields []jsonl.Field) (line, error) {
	r := newReader(fields)
	t := Turn{
		N:          r.number("n"),
		Time:       r.time("ts"),
		Role:       Role(r.must("role")),
		Content:    r.must("content"),
		Scope:      r.text("scope"),
		Model:      r.text("model"),
		Finish:     r.text("finish"),
		Usage:      r.raw("usage", "object"),
		ToolCalls:  r.raw("tool_calls", "array"),
		ToolCallID: r.text("tool_call_id"),
		Attached:   r.raw("attached", "array"),
		From:       r.text("from"),
		Recalled:   r.bool("recalled"),
		Speaker:    r.text("speaker"),
		Nudge:      r.bool("nudge"),
	}
	for f := range fieldsOf(jsonl.Value(r.raw("raw", "object"))) {
		if t.Raw == nil {
			t.Raw = make(map[string]json.RawMessage)
		}
		t.Raw[string(f.Name)] = json.RawMessage(f.Value)
	}
	if t.Role == "" {
		r.fail("the role is empty")
	}
	t.Extra = r.rest()
	return line{turn: &t, notes: r.notes}, r.err
}

func parseEvent(fields []jsonl.Field) (line, error) {
	r := newReader(fields)
	e := Event{Time: r.time("ts"), Name: r.must("event")}
	if e.Name == "" {
		r.fail("the event has no name")
	}
	e.Fields = r.rest()
	return line{event: &e, notes: r.notes}, r.err
}

func parseHeader(fields []jsonl.Field) (line, error) {
	outer := newReader(fields)
	meta := outer.take("meta")
	if meta.Type() != "object" {
		return line{}, errors.New("meta is no object")
	}
	r := newReader(slices.Collect(fieldsOf(meta)))
	h := Header{
		Format:     r.number("format"),
		Session:    r.text("session"),
		Started:    r.time("started"),
		Model:      r.text("model"),
		KenVersion: r.text("ken_version"),
		Channel:    Channel(r.text("channel")),
		Agent:      r.text("agent"),
		Scope:      r.text("scope"),
		CopiedFrom: r.text("copied_from"),
		CopiedTo:   r.number("copied_to"),
		Extra:      r.rest(),
	}
	if h.Format > Format {
		r.note(fmt.Sprintf("written by a newer ken (format %d)", h.Format))
	}
	return line{header: &h, notes: r.notes}, r.err
}

// fieldsOf yields the fields of an object whose syntax has been checked;
// nothing for any other value.
func fieldsOf(v jsonl.Value) iter.Seq[jsonl.Field] {
	return func(yield func(jsonl.Field) bool) {
		for f, err := range jsonl.Object(v) {
			if err != nil || !yield(f) {
				return
			}
		}
	}
}

// A reader reads fields of one line into Go values, by name. A value of a wrong
// type counts as missing and is noted; null is missing.
type reader struct {
	fields []jsonl.Field
	taken  []bool // the field of that index was asked for
	notes  []string
	err    error // the line cannot be read
}

func newReader(fields []jsonl.Field) *reader {
	return &reader{fields: fields, taken: make([]bool, len(fields))}
}

func (r *reader) note(s string) { r.notes = append(r.notes, s) }

func (r *reader) fail(s string) {
	if r.err == nil {
		r.err = errors.New(s)
	}
}

// take returns the value of a field; of several, the last.
func (r *reader) take(name string) (v jsonl.Value) {
	for i, f := range r.fields {
		if string(f.Name) != name {
			continue
		}
		if v != nil {
			r.note(name + " stands there twice")
		}
		v, r.taken[i] = f.Value, true
	}
	return v
}

// rest returns the fields that nobody asked for.
func (r *reader) rest() []Field {
	var rest []Field
	for i, f := range r.fields {
		if !r.taken[i] {
			rest = append(rest, Field{Name: string(f.Name), Value: bytes.Clone(f.Value)})
		}
	}
	return rest
}

// expect notes the value of name if it is missing for its type.
func (r *reader) expect(name string, v jsonl.Value, ok bool, want string) {
	if !ok && !v.Null() {
		r.note(name + " is no " + want)
	}
}

func (r *reader) text(name string) string {
	v := r.take(name)
	s, ok := v.Text()
	r.expect(name, v, ok, "string")
	if v.Lossy() {
		r.note("part of " + name + " is not text")
	}
	return s
}

// must is text for a field whose wrong type makes the line unreadable.
func (r *reader) must(name string) string {
	before := len(r.notes)
	s := r.text(name)
	if why := name + " is no string"; slices.Contains(r.notes[before:], why) {
		r.fail(why)
	}
	return s
}

func (r *reader) number(name string) int {
	v := r.take(name)
	n, ok := v.Int()
	if ok = ok && n >= 1 && n <= MaxTurn; !ok {
		n = 0
	}
	r.expect(name, v, ok, "number from 1")
	return int(n)
}

func (r *reader) bool(name string) bool {
	v := r.take(name)
	b, ok := v.Bool()
	r.expect(name, v, ok, "boolean")
	return b
}

func (r *reader) raw(name, want string) json.RawMessage {
	v := r.take(name)
	if v.Type() != want {
		r.expect(name, v, false, want)
		return nil
	}
	return bytes.Clone(v)
}

// time reads RFC 3339, or seconds since 1970.
func (r *reader) time(name string) time.Time {
	v := r.take(name)
	s, _ := v.Text()
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t.UTC()
	}
	// RFC 3339 ends with the year 9999; what lies beyond are no seconds.
	if sec, ok := v.Float(); ok && sec >= 0 && sec < 253402300800 {
		whole, part := math.Modf(sec)
		return time.Unix(int64(whole), int64(part*1e9)).UTC()
	}
	r.expect(name, v, false, "time")
	return time.Time{}
}
