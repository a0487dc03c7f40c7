package view

import (
	"ken/internal/memory"
	"ken/internal/termsafe"
)

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
