// Package history shows how a memory became what it is: line by line, what was said
// and changed, from what to what, when and by whom. It is pure.
package history

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"ken/internal/memory"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// Change is the JSON shape of one line of a history.
type Change struct {
	Ref      string          `json:"ref"`
	Log      string          `json:"log,omitempty"`  // absent for the own log
	Line     int             `json:"line,omitempty"` // in its file, from 1
	Undone   bool            `json:"undone,omitempty"`
	UndoneBy []string        `json:"undone_by,omitempty"` // the lines that took it back
	Waits    bool            `json:"waits,omitempty"`     // nobody has let it in: without effect
	Changed  []FieldChange   `json:"changed,omitempty"`   // what an edit changed, or would change
	Record   json.RawMessage `json:"record"`              // the whole record, as a line of the file
}

// An About is a memory with how it came to be what it is.
type About struct {
	view.Item
	// History is what was done to it, oldest first, a line each, without the texts that it had before: see Head.
	History []string `json:"history"`
	Here    bool     `json:"here"` // it holds at the place
}

// A FieldChange is a field of a memory before and after a line: values as in the
// file, null where the field is not there.
type FieldChange struct {
	Field string          `json:"field"`
	From  json.RawMessage `json:"from"`
	To    json.RawMessage `json:"to"`
}

// Of returns the lines of a history, oldest first, for a program; never nil.
func Of(changes []memory.Change) []Change {
	views := make([]Change, len(changes))
	var now map[string]json.RawMessage // the fields of the item so far
	for i, ch := range changes {
		v := Change{
			Ref: ch.ID.String(), Log: ch.ID.Log, Line: ch.Line, Undone: ch.Undone, Waits: ch.Waits, Record: ch.Record.AppendJSON(nil),
		}
		fields := fieldsOf(v.Record)
		counts := !ch.Undone && !ch.Waits
		switch kind := ch.Record.Kind; {
		case !kind.Changes() && (counts || now == nil):
			now = fields
		case kind == memory.KindEdit:
			v.Changed = changed(now, fields, counts)
		case kind == memory.KindUndo && counts:
			for j := range views[:i] {
				if slices.ContainsFunc(targets(&ch.Record), func(id memory.ID) bool { return changes[j].ID == id.In(ch.ID.Log) }) {
					views[j].UndoneBy = append(views[j].UndoneBy, v.Ref)
				}
			}
		}
		views[i] = v
	}
	return views
}

func fieldsOf(record json.RawMessage) map[string]json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(record, &fields) != nil { // ken wrote it
		return nil
	}
	return fields
}

// changed says what the fields of an edit change in those of an item, in the order
// of their names but for the text, which comes first; and changes them if the line
// counts.
func changed(item, edit map[string]json.RawMessage, counts bool) []FieldChange {
	null := json.RawMessage("null")
	var list []FieldChange
	for name, to := range edit {
		switch name {
		case "id", "ts", "kind", "target", "source", "origin", "by", "review", "reason":
			continue // the line's own
		}
		from, ok := item[name]
		if !ok {
			from = null
		}
		if string(from) == string(to) {
			continue
		}
		list = append(list, FieldChange{name, from, to})
		if counts && item != nil {
			if item[name] = to; string(to) == "null" {
				delete(item, name)
			}
		}
	}
	slices.SortFunc(list, func(a, b FieldChange) int {
		if (a.Field == "content") != (b.Field == "content") {
			return map[bool]int{true: -1, false: 1}[a.Field == "content"]
		}
		return strings.Compare(a.Field, b.Field)
	})
	return list
}

// Text returns the lines of a history, oldest first, for a person: number, time,
// what was done and by whom, and below it what changed from what to what. The text
// does not end with a line end.
func Text(changes []memory.Change) string {
	var b strings.Builder
	say := termsafe.Line
	for i, v := range Of(changes) {
		ch := changes[i]
		r, d := &ch.Record, ch.Record.Details()
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "#%s  %s  %s %s", ch.ID, view.When(r.Time), writer(ch), r.Kind.Did())
		switch {
		case !r.Kind.Changes():
			fmt.Fprintf(&b, " (%s)%s: %s", say(string(r.Kind)), letIn(r), say(r.Content))
		case r.Kind == memory.KindUndo:
			for _, id := range targets(r) {
				fmt.Fprintf(&b, " #%s", id)
			}
		case d.Phase != "" || d.Tier != "":
			fmt.Fprintf(&b, " to %s", say(string(d.Phase)+string(d.Tier)))
		}
		if d.Reason != "" {
			fmt.Fprintf(&b, " (%s)", say(d.Reason))
		}
		if r.Kind.Changes() {
			b.WriteString(letIn(r))
		}
		if ch.Waits {
			b.WriteString("  [waits for review]")
		}
		if len(v.UndoneBy) > 0 {
			fmt.Fprintf(&b, "  [undone by #%s]", strings.Join(v.UndoneBy, ", #"))
		} else if ch.Undone {
			b.WriteString("  [undone]")
		}
		stated := ""
		for _, f := range withFields(v) {
			stated += fmt.Sprintf("; %s %s", fieldName(f.Field), say(shown(f.To)))
		}
		if stated != "" {
			fmt.Fprintf(&b, "\n      with %s", strings.TrimPrefix(stated, "; "))
		}
		for _, f := range v.Changed {
			fmt.Fprintf(&b, "\n      %s: %s -> %s", fieldName(f.Field), say(shown(f.From)), say(shown(f.To)))
		}
		if r.Source != nil && r.Source.File != "" {
			fmt.Fprintf(&b, "\n      of the file %s", say(r.Source.File))
		}
		if r.Source != nil && r.Source.Session != "" {
			fmt.Fprintf(&b, "\n      said in %s:%d", say(r.Source.Session), r.Source.Turn)
		}
	}
	return b.String()
}

// Head says of a line of a history what was done, when and by whom, and nothing of what it says.
func Head(ch memory.Change) string {
	head := fmt.Sprintf("%s  %s %s", view.When(ch.Record.Time), writer(ch), ch.Record.Kind.Did())
	switch {
	case ch.Undone:
		head += " (undone)"
	case ch.Waits:
		head += " (waits for review)"
	}
	return head
}

// withFields are the fields of a stating line beside its text.
func withFields(v Change) []FieldChange {
	fields := fieldsOf(v.Record)
	var kind memory.Kind
	if json.Unmarshal(fields["kind"], &kind) != nil || kind.Changes() {
		return nil
	}
	delete(fields, "content")
	return changed(nil, fields, false)
}

// targets are the lines that an undo takes back.
func targets(r *memory.Record) (list []memory.ID) {
	if !r.Target.IsZero() {
		list = append(list, r.Target)
	}
	return append(list, r.Details().Targets...)
}

// writer is who wrote a line, and where.
func writer(ch memory.Change) string {
	name := termsafe.Line(string(ch.Record.Origin))
	if ch.Record.Origin.Rank() == 0 {
		name = "you"
	}
	if ch.ID.Log != "" {
		name += " on " + termsafe.Line(ch.ID.Log)
	}
	return name
}

// letIn is by what act a line of another origin counts.
func letIn(r *memory.Record) string {
	switch {
	case r.By == "" || r.By == "user" && r.Origin.Rank() == 0:
		return ""
	case r.By != "user":
		return ", let in by " + termsafe.Line(r.By)
	case r.Review > 0:
		return fmt.Sprintf(", let in by you (review %d)", r.Review)
	}
	return ", let in by you"
}

// fieldName is a field's name for people.
func fieldName(name string) string {
	if name == "content" {
		return "text"
	}
	return strings.ReplaceAll(termsafe.Line(name), "_", " ")
}

// shown is the value of a field for people.
func shown(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil && text != "" {
		return text
	}
	var list []string
	if json.Unmarshal(value, &list) == nil && len(list) > 0 {
		return strings.Join(list, ", ")
	}
	if len(value) == 0 || string(value) == "null" {
		return "none"
	}
	return string(value)
}
