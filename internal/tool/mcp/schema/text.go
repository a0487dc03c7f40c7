package schema

import (
	"strings"
	"unicode/utf8"

	"ken/internal/termsafe"
)

// The longest texts that a server says of its tools, in characters: what models and people
// read of them.
const (
	mostDescription = 300
	mostOfParameter = 160
)

// Description returns what a server says of a tool, as a model may read it: in one line, the
// first 300 characters, without control characters, and with nothing in it that a
// model server takes for the end of a message.
func Description(text string) string { return Line(text, mostDescription) }

// Line is the first characters of a text of a server in one line, made harmless.
func Line(text string, most int) string {
	if limit := 16 * most; len(text) > limit { // a line of megabytes is not cleaned whole
		text = strings.ToValidUTF8(text[:limit], "")
	}
	text = strings.Join(strings.Fields(termsafe.Line(text)), " ")
	if utf8.RuneCountInString(text) > most {
		runes := []rune(text)
		text = strings.TrimRight(string(runes[:most-1]), " ") + "…"
	}
	return Inert(text)
}
