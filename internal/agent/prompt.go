package agent

import (
	"cmp"
	_ "embed" // for the base prompt
	"strings"

	"ken/internal/frame"
)

//go:embed prompts/base.txt
var basePrompt string

//go:embed prompts/elsewhere.txt
var elsewherePrompt string

//go:embed prompts/greeting.txt
var greetingPrompt string

// BasePrompt returns the text that every system message begins with in a terminal.
func BasePrompt() string { return strings.TrimSpace(basePrompt) }

// BaseElsewhere returns the text that every system message begins with where no commands of an answer are run and none is typed
// behind a colon. where is in words for a model: "on their phone"; "" for "in a window".
func BaseElsewhere(where string) string {
	return strings.Replace(strings.TrimSpace(elsewherePrompt), "WHERE", cmp.Or(where, "in a window"), 1)
}

// base is what the system message begins with.
func (c *Conversation) base() string { return cmp.Or(c.o.Base, BasePrompt()) }

// systemPrompt joins the base and the blocks that have text, in the order in
// which they are given.
func (c *Conversation) systemPrompt(blocks ...string) string {
	parts := []string{c.base()}
	for _, b := range blocks {
		if b != "" {
			parts = append(parts, frame.Tokens(b))
		}
	}
	return strings.Join(parts, "\n\n")
}
