package schema

import (
	"strings"

	"ken/internal/frame"
)

// Inert returns a text of a server without the tokens by which model servers tell messages
// apart, and without the words that open or end a block, wherever they stand: a description has one line.
func Inert(text string) string {
	var pairs []string
	for _, head := range []string{"[end ", "[result of", "[background]"} {
		pairs = append(pairs, head, head[:1]+frame.Joiner+head[1:])
	}
	return frame.Data(strings.NewReplacer(pairs...).Replace(text))
}

// Plain takes the joiners of Inert out again.
func Plain(text string) string { return frame.Plain(text) }
