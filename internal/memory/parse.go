package memory

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ken/internal/jsonl"
)

// ParseLine reads one line of a log, without its line end, and says what it
// is: the Entry has Record, Meta or Bad set, and Hash, and Notes. Where the
// line stands (At, Line, Offset, the log's name) is for the log to fill in. A
// blank line says nothing: its Record is the zero Record, with an empty Kind.
//
// ParseLine never fails and never panics, whatever the bytes, and keeps no
// part of line. A carriage return at the end is part of the line end.
func ParseLine(line []byte) (e Entry) {
	line = bytes.TrimSuffix(line, []byte("\r"))
	if len(bytes.Trim(line, " \t\r")) == 0 {
		return e
	}
	e.Hash = HashID(line).Hash
	if err := e.parse(line); err != nil {
		most := jsonl.LargestNumber(line, "id", "target", "targets")
		return Entry{Hash: e.Hash, Bad: &LineError{Len: int64(len(line)), MaxID: most, Cause: err}}
	}
	return e
}

// ParseRecord reads a line that states or changes something. The notes say
// what was ignored on it: fields of a wrong type, a name that stands twice.
//
// The Record is in its normal form: a default that the line spells out
// ("scope":"user") is left out, an older kind is resolved with its word in
// Subtype, times are UTC. On a changing line defaults mean what they say.
func ParseRecord(line []byte) (rec Record, notes []string, err error) {
	e := ParseLine(line)
	switch {
	case e.Bad != nil:
		return Record{}, nil, e.Bad.Cause
	case e.Meta != nil:
		return Record{}, nil, errors.New("a meta line, no record")
	case e.Record.Kind == "":
		return Record{}, nil, errors.New("a blank line")
	}
	return e.Record, e.Notes, nil
}

// parse reads a line that is not blank. Its error says why the line cannot be
// read.
func (e *Entry) parse(line []byte) error {
	if len(line) > MaxLine {
		return fmt.Errorf("%d bytes, more than the %d that a line may have", len(line), MaxLine)
	}
	var buf [32]jsonl.Field
	fields, twice, err := jsonl.Fields(line, buf[:0])
	if err != nil {
		return err
	}
	for _, name := range twice {
		e.note(name, "stands twice, the last one counts")
	}
	edit := false // known before the other fields are read
	for _, f := range fields {
		if string(f.Name) == "kind" {
			kind, _ := f.Value.Text()
			edit = Kind(kind) == KindEdit
		}
	}
	if err := e.parseFields(fields, edit); err != nil {
		return err
	}
	r := &e.Record
	if e.isMeta() {
		return nil
	}
	if r.ID.N == 0 {
		r.ID.Hash = e.Hash
	}
	if r.Kind == "" {
		r.Kind = KindFact
	}
	if r.Kind.Changes() {
		return e.checkChange()
	}
	kind, old := ParseKind(string(r.Kind))
	r.Kind, r.Clear = kind, nil
	if r.Subtype == "" {
		r.Subtype = old
	}
	r.normalise()
	if !r.States() {
		if r.Kind.Known() {
			return fmt.Errorf("a %s without content", r.Kind)
		}
		e.note("kind", fmt.Sprintf("%q is not known, and has no content: kept, without effect", jsonl.Clip(string(r.Kind))))
	}
	return nil
}

// parseFields reads the fields of a record. Only a wrong id, kind or content is
// an error; another wrong value is noted and ignored.
func (e *Entry) parseFields(fields []jsonl.Field, edit bool) error {
	r := &e.Record
	slots := r.slots()
	for _, f := range fields {
		to := find(slots[:], string(f.Name))
		if edit && f.Value.Null() && (to == nil || to.edit && to.name != "content") {
			r.Clear = append(r.Clear, string(f.Name))
			continue
		}
		if to == nil {
			r.Extra = append(r.Extra, Field{Name: string(f.Name), Value: slices.Clone([]byte(f.Value))})
			continue
		}
		needed := to.name == "id" || to.name == "kind" || to.name == "content"
		if f.Value.Null() && !needed {
			continue
		}
		switch wrong := e.read(to, f.Value); {
		case wrong != "" && needed:
			return fmt.Errorf("%s: %s", f.Name, wrong)
		case wrong != "":
			e.note(to.name, wrong+"; ignored")
		case edit && to.edit && f.Value.Empty():
			r.Clear = append(r.Clear, string(f.Name))
		}
	}
	return nil
}

// checkChange checks that a changing line says what it changes.
func (e *Entry) checkChange() error {
	r := &e.Record
	switch r.Kind {
	case KindTouch:
		return nil
	case KindEdit, KindUndo:
		if len(r.Targets) > 0 {
			e.note("targets", fmt.Sprintf("%q takes one target; ignored", r.Kind))
			r.Targets = nil
		}
		blank := r.Content != "" && strings.TrimSpace(r.Content) == ""
		if r.Kind == KindEdit && (blank || slices.Contains(r.Clear, "content")) {
			return errors.New("an edit to blank content")
		}
	}
	switch {
	case !r.Target.IsZero(), len(r.Targets) > 0:
		return nil
	case r.Kind == KindForget && len(r.Sessions) > 0, r.Kind == KindErased && r.ID.N != 0:
		return nil
	}
	return fmt.Errorf("%s without a target", r.Kind)
}

// isMeta reports whether the line is a log's header, and reads it: it has a
// meta object, and nothing of a record.
func (e *Entry) isMeta() bool {
	r := &e.Record
	i := slices.IndexFunc(r.Extra, func(f Field) bool { return f.Name == "meta" && f.Value[0] == '{' })
	if i < 0 || !r.ID.IsZero() || r.Kind != "" || r.Content != "" || !r.Target.IsZero() || r.Targets != nil {
		return false
	}
	e.Meta = new(Meta)
	e.readObject("meta", jsonl.Value(r.Extra[i].Value), e.Meta.slots())
	if log := e.Meta.Log; log != "" && !validLogName(log) {
		e.note("meta", fmt.Sprintf("log: want 1 to 40 of a-z, 0-9 and -, got %q; ignored", jsonl.Clip(log)))
		e.Meta.Log = ""
	}
	e.Record = Record{}
	return true
}

func (m *Meta) slots() []slot {
	return []slot{{"format", &m.Format, false}, {"log", &m.Log, false}, {"created", &m.Created, false}}
}

func (s *Source) slots() []slot {
	return []slot{{"session", &s.Session, false}, {"turn", &s.Turn, false}, {"agent", &s.Agent, false}, {"channel", &s.Channel, false}}
}

// readObject reads the fields of an object inside a line.
func (e *Entry) readObject(name string, v jsonl.Value, slots []slot) {
	for f, err := range jsonl.Object(v) {
		if err != nil {
			break // cannot be: the line has been checked
		}
		if to := find(slots, string(f.Name)); to != nil && !f.Value.Null() {
			if wrong := e.read(to, f.Value); wrong != "" {
				e.note(name, to.name+": "+wrong+"; ignored")
			}
		}
	}
}

// note keeps what a person should know of the line, but of a line made of
// faults not all.
func (e *Entry) note(name, what string) {
	const most = 20
	if len(e.Notes) < most {
		e.Notes = append(e.Notes, jsonl.Clip(name)+": "+what)
	}
}
