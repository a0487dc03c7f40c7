package memory

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"ken/internal/jsonl"
)

// ParseLine reads one line of a log, without its line end, and says what it
// is: the Entry has Record, Meta or Bad set, and Hash, and Notes. Where the
// line stands (At, Line, Offset, the log's name) is for the log to fill in. A
// blank line says nothing: its Record is the zero Record, with an empty Kind.
//
// ParseLine never fails and never panics, whatever the bytes, and keeps no
// part of line. A carriage return at the end is part of the line end.
func ParseLine(line []byte) Entry {
	line = trimEnd(line)
	if blank(line) {
		return Entry{}
	}
	e := Entry{Hash: HashID(line).Hash}
	if len(line) > MaxLine {
		err := fmt.Errorf("%d bytes, more than the %d that a line may have", len(line), MaxLine)
		e.Bad = &LineError{Len: int64(len(line)), Cause: err}
		return e
	}
	d, err := decode(line)
	switch {
	case err == nil && d.isMeta():
		e.Meta = d.parseMeta()
	case err == nil:
		err = d.finish(e.Hash)
	}
	if err != nil {
		e.Bad = &LineError{Len: int64(len(line)), MaxID: largestNamed(line), Cause: err}
		return e
	}
	e.Record, e.Notes = d.rec, d.notes
	return e
}

// ParseRecord reads a line that states or changes something. The notes say
// what was ignored on it: fields of a wrong type, a name that stands twice.
//
// The Record is in its normal form: a default that the line spells out
// ("scope":"user") is left out, an older kind is resolved with its word in
// Subtype, times are UTC. On an edit line defaults mean what they say and stay.
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

// trimEnd removes the carriage return of a CR LF line end.
func trimEnd(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\r' {
		return line[:n-1]
	}
	return line
}

func blank(line []byte) bool {
	for _, c := range line {
		if c != ' ' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}

// A decoder reads the fields of one line into rec.
type decoder struct {
	rec   Record
	meta  jsonl.Value // of the field of that name, if there is one
	notes []string

	seen     fieldSet
	twice    bool // a name stands twice on the line
	distinct bool // no name is given twice: no need to look
}

// manyExtra is how many unknown fields are searched one by one for a name that
// stands twice; a line with more takes the way with a map.
const manyExtra = 16

// decode reads all fields of line. Its error says why the line cannot be read.
func decode(line []byte) (*decoder, error) {
	d := new(decoder)
	for f, err := range jsonl.Object(line) {
		if err != nil {
			return nil, whyNot(line, err)
		}
		if err := d.field(f); err != nil {
			// The syntax is checked to the end first: it is the better reason.
			if serr := checkSyntax(line); serr != nil {
				return nil, whyNot(line, serr)
			}
			return nil, err
		}
		if d.twice {
			return decodeLast(line)
		}
	}
	return d, nil
}

// decodeLast reads a line on which names stand twice: the last one counts.
func decodeLast(line []byte) (*decoder, error) {
	last := make(map[string]int)
	n := 0
	for f, err := range jsonl.Object(line) {
		if err != nil {
			return nil, whyNot(line, err)
		}
		last[string(f.Name)] = n
		n++
	}
	d := &decoder{distinct: true}
	n = -1
	for f, err := range jsonl.Object(line) {
		if err != nil {
			return nil, whyNot(line, err)
		}
		n++
		if last[string(f.Name)] != n {
			d.note(f.Name, "stands twice, the last one counts")
			continue
		}
		if err := d.field(f); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func checkSyntax(line []byte) error {
	for _, err := range jsonl.Object(line) {
		if err != nil {
			return err
		}
	}
	return nil
}

// maxNotes keeps a line made of faults from telling each one.
const maxNotes = 20

func (d *decoder) note(name []byte, what string) {
	if len(d.notes) < maxNotes {
		d.notes = append(d.notes, clip(string(name))+": "+what)
	}
}

// clip cuts what a line holds to a size that a message can show.
func clip(s string) string {
	const most = 40
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "..."
}

// States reports whether r states something: it is of a stating kind, or of a
// kind that this version does not know and has content.
func (r *Record) States() bool {
	return !r.Kind.Changes() && strings.TrimSpace(r.Content) != ""
}

// finish checks the line as a whole and brings its record into normal form.
func (d *decoder) finish(hash string) error {
	r := &d.rec
	if r.ID.N == 0 {
		r.ID.Hash = hash
	}
	if r.Kind == "" {
		r.Kind = KindFact
	}
	kind, subtype := ParseKind(string(r.Kind))
	r.Kind = kind
	if r.Subtype == "" {
		r.Subtype = subtype
	}
	if r.Kind.Changes() {
		return d.finishChange()
	}
	r.Clear = nil
	if !r.States() {
		if r.Kind.Known() {
			return fmt.Errorf("a %s without content", clip(string(r.Kind)))
		}
		d.note([]byte("kind"), fmt.Sprintf("%q is not known and has no content: kept, of no effect", clip(string(r.Kind))))
	}
	r.normalise()
	return nil
}

// clearExtra turns the unknown fields that an edit line sets to null into
// fields to clear.
func (d *decoder) clearExtra() {
	r := &d.rec
	keep := r.Extra[:0]
	for _, f := range r.Extra {
		if jsonl.Value(f.Value).Null() {
			r.Clear = append(r.Clear, f.Name)
		} else {
			keep = append(keep, f)
		}
	}
	if r.Extra = keep; len(keep) == 0 {
		r.Extra = nil
	}
}

// finishChange is finish for a line that changes another.
func (d *decoder) finishChange() error {
	r := &d.rec
	if r.Kind == KindEdit {
		d.clearExtra()
		if d.seen.has(fieldContent) && strings.TrimSpace(r.Content) == "" {
			return errors.New("an edit to blank content")
		}
	} else {
		r.Clear = nil
	}
	if (r.Kind == KindEdit || r.Kind == KindUndo) && len(r.Targets) > 0 {
		d.note([]byte("targets"), fmt.Sprintf("an %s takes one target; ignored", r.Kind))
		r.Targets = nil
	}
	if !r.Target.IsZero() || len(r.Targets) > 0 {
		return nil
	}
	switch {
	case r.Kind == KindForget && len(r.Sessions) > 0, r.Kind == KindErased && r.ID.N != 0, r.Kind == KindTouch:
		return nil
	}
	return fmt.Errorf("%s without a target", r.Kind)
}
