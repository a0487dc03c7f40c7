package memory

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"ken/internal/jsonl"
)

// ParseLine reads one line of a log, without its line end, and says what it is:
// all of the Entry but where the line stands (At, Line, Offset, the log's name),
// which is for the log to fill in. A blank line says nothing: its Record is the
// zero Record, with an empty Kind.
//
// ParseLine never fails and never panics, whatever the bytes, and keeps no
// part of line. A carriage return at the end is part of the line end.
func ParseLine(line []byte) Entry {
	var p Parser
	return p.Line(line)
}

// AsRecord gives what a line says that states or changes something. The notes say
// what was ignored on it: fields of a wrong type, a name that stands twice.
//
// The Record is in its normal form: a default that the line spells out
// ("scope":"user") is left out, an older kind is resolved with its word in
// Subtype, times are UTC. On a changing line defaults mean what they say.
func (e Entry) AsRecord() (rec Record, notes []string, err error) {
	switch {
	case e.Bad != nil:
		return Record{}, nil, e.Bad.Cause
	case e.Meta != nil:
		return Record{}, nil, errors.New("a meta line, no record")
	case e.Record.Kind == "":
		return Record{}, nil, errors.New("a blank line")
	}
	return *e.Record, e.Notes(), nil
}

// parse reads a line that is not blank. Its error says why the line cannot be
// read.
func (p *Parser) parse(e *Entry, line []byte) error {
	if len(line) > MaxLine {
		return fmt.Errorf("%d bytes, more than the %d that a line may have", len(line), MaxLine)
	}
	fields, twice, err := jsonl.Fields(line, p.fields)
	if err != nil {
		return err
	}
	p.fields = fields
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
	if err := p.parseFields(e, fields, edit); err != nil {
		return err
	}
	r := e.Record
	if p.isMeta(e) {
		return nil
	}
	if r.ID.N == 0 {
		r.ID = HashID(line)
	}
	if r.Kind == "" {
		r.Kind = KindFact
	}
	if r.Kind.Changes() {
		return e.checkChange()
	}
	kind, old := ParseKind(string(r.Kind))
	if r.Kind = kind; old != "" && r.Detail.Subtype == "" {
		r.Detail.Subtype = old
	}
	r.Detail.Clear = nil
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
func (p *Parser) parseFields(e *Entry, fields []jsonl.Field, edit bool) error {
	d := e.Record.Detail
	for _, f := range fields {
		to := find(p.slots[:], string(f.Name))
		if edit && f.Value.Null() && (to == nil || to.edit && to.name != "content") {
			d.Clear = append(d.Clear, string(f.Name))
			continue
		}
		if to == nil {
			d.Extra = append(d.Extra, Field{Name: string(f.Name), Value: slices.Clone([]byte(f.Value))})
			continue
		}
		needed := to.name == "id" || to.name == "kind" || to.name == "content"
		if f.Value.Null() && !needed {
			continue
		}
		switch wrong := p.read(e, to, f.Value); {
		case wrong != "" && needed:
			return fmt.Errorf("%s: %s", to.name, wrong)
		case wrong != "":
			e.note(to.name, wrong+"; ignored")
		case edit && to.edit && f.Value.Empty():
			d.Clear = append(d.Clear, to.name)
		}
	}
	return nil
}

// checkChange checks that a changing line says what it changes.
func (e *Entry) checkChange() error {
	r, d := e.Record, e.Record.Detail
	switch r.Kind {
	case KindTouch:
		return nil
	case KindEdit:
		if len(d.Targets) > 0 {
			e.note("targets", fmt.Sprintf("%q takes one target; ignored", r.Kind))
			d.Targets = nil
		}
		blank := r.Content != "" && strings.TrimSpace(r.Content) == ""
		if blank || slices.Contains(d.Clear, "content") {
			return errors.New("an edit to blank content")
		}
	}
	switch {
	case !r.Target.IsZero(), len(d.Targets) > 0:
		return nil
	case r.Kind == KindForget && len(d.Sessions)+len(d.Turns) > 0, r.Kind == KindErased && r.ID.N != 0:
		return nil
	}
	return fmt.Errorf("%s without a target", r.Kind)
}

// isMeta reports whether the line is a log's header, and reads it: it has a
// meta object, and nothing of a record.
func (p *Parser) isMeta(e *Entry) bool {
	r, d := e.Record, e.Record.Detail
	i := slices.IndexFunc(d.Extra, func(f Field) bool { return f.Name == "meta" && f.Value[0] == '{' })
	if i < 0 || !r.ID.IsZero() || r.Kind != "" || r.Content != "" || !r.Target.IsZero() || d.Targets != nil {
		return false
	}
	e.Meta = new(Meta)
	p.readObject(e, "meta", jsonl.Value(d.Extra[i].Value), e.Meta.slots())
	if log := e.Meta.Log; log != "" && !validLog(log) {
		e.note("meta", fmt.Sprintf("log: want 1 to 40 of a-z, 0-9 and -, got %q; ignored", jsonl.Clip(log)))
		e.Meta.Log = ""
	}
	return true
}

func (m *Meta) slots() []slot {
	return []slot{{"format", &m.Format, false}, {"log", &m.Log, false}, {"created", &m.Created, false}}
}

func (s *Source) slots() []slot {
	return []slot{
		{"session", &s.Session, false},
		{"turn", &s.Turn, false},
		{"agent", &s.Agent, false},
		{"channel", &s.Channel, false},
		{"file", &s.File, false},
		{"digest", &s.Digest, false},
	}
}

// readObject reads the fields of an object inside a line.
func (p *Parser) readObject(e *Entry, name string, v jsonl.Value, slots []slot) {
	for f, err := range jsonl.Object(v) {
		if err != nil {
			break // cannot be: the line has been checked
		}
		if to := find(slots, string(f.Name)); to != nil && !f.Value.Null() {
			if wrong := p.read(e, to, f.Value); wrong != "" {
				e.note(name, to.name+": "+wrong+"; ignored")
			}
		}
	}
}

// note keeps what a person should know of the line, but of a line made of
// faults not all.
func (e *Entry) note(name, what string) {
	const most = 20
	if e.notes == nil {
		e.notes = new([]string)
	}
	if len(*e.notes) < most {
		*e.notes = append(*e.notes, jsonl.Clip(name)+": "+what)
	}
}
