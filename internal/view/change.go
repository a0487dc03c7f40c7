package view

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"ken/internal/memory"
	"ken/internal/termsafe"
)

// ChangeText says in a few words what a line did: "fact: the kettle is red",
// "forget #3". Of many memories it names the first.
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
	const most = 20 // more than a person reads
	if n := len(targets) - most; n > 0 {
		return fmt.Sprintf("%s %s and %d more", kind, joinIDs(targets[:most]), n)
	}
	what := []string{}
	if len(targets) > 0 {
		what = append(what, joinIDs(targets))
	}
	if n := len(r.Details().Turns); n > 0 {
		what = append(what, Count(n, "turn"))
	}
	if n := len(r.Details().Sessions); n > 0 {
		what = append(what, Count(n, "conversation"))
	}
	return strings.TrimSpace(kind + " " + strings.Join(what, " and "))
}

// Excerpt returns the beginning of a text, on one line of at most width cells.
func Excerpt(text string, width int) string { return termsafe.Cut(termsafe.Line(text), width) }

// ExcerptSaid is Excerpt for a text that somebody is to agree to: behind it stands how
// much was cut.
func ExcerptSaid(text string, width int) string {
	line := termsafe.Line(text)
	cut := termsafe.Cut(line, width)
	if cut == line {
		return line
	}
	return fmt.Sprintf("%s (+%d characters)", cut, utf8.RuneCountInString(line)-utf8.RuneCountInString(strings.TrimSuffix(cut, "…")))
}
