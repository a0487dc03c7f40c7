package agent

import (
	_ "embed" // for the base prompt
	"strings"

	"ken/internal/frame"
)

//go:embed prompts/base.txt
var basePrompt string

//go:embed prompts/greeting.txt
var greetingPrompt string

// BasePrompt returns the text that every system message begins with.
func BasePrompt() string { return strings.TrimSpace(basePrompt) }

// systemPrompt joins the base and the blocks that have text, in the order in
// which they are given.
func systemPrompt(blocks ...string) string {
	parts := []string{BasePrompt()}
	for _, b := range blocks {
		if b != "" {
			parts = append(parts, frame.Tokens(b))
		}
	}
	return strings.Join(parts, "\n\n")
}
