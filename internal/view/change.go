package view

import (
	"encoding/json"
	"fmt"
	"strings"

	"ken/internal/memory"
	"ken/internal/termsafe"
)

// Change is the JSON shape of one line of a history.
type Change struct {
	Ref    string          `json:"ref"`
	Line   int             `json:"line,omitempty"` // in its file, from 1
	Undone bool            `json:"undone,omitempty"`
	Record json.RawMessage `json:"record"` // the whole record, as a line of the file
}

// ChangesOf are lines of a history for a program; never nil.
func ChangesOf(changes []memory.Change) []Change {
	views := make([]Change, len(changes))
	for i, ch := range changes {
		views[i] = Change{Ref: ch.ID.String(), Line: ch.Line, Undone: ch.Undone, Record: ch.Record.AppendJSON(nil)}
	}
	return views
}

// HistoryLine is a line of a history for a person: number, time and kind, then
// what it says and changes.
func HistoryLine(ch memory.Change) string {
	r := ch.Record
	line := fmt.Sprintf("#%s  %s  %s", ch.ID, When(r.Time), termsafe.Line(string(r.Kind)))
	if r.Content != "" {
		line += "  " + termsafe.Line(r.Content)
	}
	if r.Scope != "" {
		line += "  scope=" + termsafe.Line(string(r.Scope))
	}
	d := r.Details()
	if d.Reason != "" {
		line += "  (" + termsafe.Line(d.Reason) + ")"
	}
	if len(d.Clear) > 0 {
		line += "  without " + termsafe.Line(strings.Join(d.Clear, ", "))
	}
	if ch.Undone {
		line += "  [undone]"
	}
	return line
}

// ChangeText says in a few words what a line did: "fact: the kettle is red",
// "forget #3".
func ChangeText(ch memory.Change) string {
	r := ch.Record
	kind := termsafe.Line(string(r.Kind))
	if !r.Kind.Changes() {
		return kind + ": " + Excerpt(r.Content, 60)
	}
	targets := r.Details().Targets
	if !r.Target.IsZero() {
		targets = append([]memory.ID{r.Target}, targets...)
	}
	return kind + " " + joinIDs(targets)
}

// Excerpt is the beginning of a text, on one line of at most width cells.
func Excerpt(text string, width int) string { return termsafe.Cut(termsafe.Line(text), width) }
