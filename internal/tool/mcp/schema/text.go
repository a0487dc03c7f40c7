package schema

import (
	"strings"

	"ken/internal/termsafe"
	"ken/internal/text"
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
func Line(said string, most int) string {
	said = text.CutBytes(said, 16*most) // a line of megabytes is not cleaned whole
	said = strings.Join(strings.Fields(termsafe.Line(said)), " ")
	if text.CutRunes(said, most) != said {
		said = strings.TrimRight(text.CutRunes(said, most-1), " ") + "…"
	}
	return Inert(said)
}
