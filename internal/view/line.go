package view

import (
	"fmt"
	"strings"

	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/termsafe"
)

// LogLine is line n of a log that somebody else wrote, for a person who is to
// judge it: what it states or changes, then its other fields as they stand.
// Characters that do not show themselves are written out. A text of several
// lines has several; the last one has no line end.
func LogLine(n int, text []byte) string {
	e := memory.ParseLine(text)
	r := e.Record
	said := ""
	switch {
	case e.Bad != nil:
		return numbered(n, "(cannot be read) "+string(text))
	case e.Meta != nil:
		return numbered(n, "(header) "+string(text))
	case r.Kind == "":
		return numbered(n, "(blank)")
	case r.Kind.Changes():
		said = fmt.Sprintf("(%s) %s", r.Kind, strings.TrimSpace(strings.TrimPrefix(ChangeText(memory.Change{Record: *r}), string(r.Kind))))
		if r.Content != "" {
			said += ": " + r.Content
		}
	default:
		said = fmt.Sprintf("(%s) %s", r.Kind, r.Content)
	}
	if r.Kind == memory.KindRule {
		said += "  [a rule: it waits in any case]"
	}
	for f, err := range jsonl.Object(text) {
		if err != nil {
			break // it has been read already
		}
		switch name := string(f.Name); name {
		case "id", "ts", "kind", "content", "target", "targets":
		default:
			said += fmt.Sprintf("  %s=%s", name, f.Value)
		}
	}
	return numbered(n, said)
}

// numbered is a text behind the number of its line.
func numbered(n int, text string) string {
	return fmt.Sprintf("%5d  ", n) + strings.ReplaceAll(termsafe.Visible(text), "\n", "\n     | ")
}
