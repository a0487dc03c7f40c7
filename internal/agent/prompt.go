package agent

import (
	_ "embed" // for the base prompt
	"strings"

	"ken/internal/llm"
	"ken/internal/session"
)

//go:embed prompts/base.txt
var basePrompt string

// BasePrompt is the text that every system message begins with.
func BasePrompt() string { return strings.TrimSpace(basePrompt) }

// systemPrompt joins the base and the blocks that have text, in the order in
// which they are given.
func systemPrompt(blocks ...string) string {
	parts := []string{BasePrompt()}
	for _, b := range blocks {
		if b != "" {
			parts = append(parts, b)
		}
	}
	return strings.Join(parts, "\n\n")
}

// message is a recorded turn as it is sent again. Calls that cannot be read
// are left out: a server refuses broken ones.
func message(t session.Turn) llm.Message {
	calls, err := llm.ParseToolCalls(t.ToolCalls)
	if err != nil {
		calls = nil
	}
	return llm.Message{
		Role: string(t.Role), Content: t.Content,
		ToolCalls: calls, ToolCallID: t.ToolCallID, Raw: t.Raw,
	}
}

// alternate makes one message of neighbours of the same role, as an
// interrupted answer leaves them: strict chat templates refuse two user
// messages in a row, and an assistant message without content.
func alternate(msgs []llm.Message) []llm.Message {
	var out []llm.Message
	for _, m := range msgs {
		empty := m.Content == "" && len(m.ToolCalls) == 0
		if m.Role != "tool" && empty {
			continue
		}
		if n := len(out); n > 0 && joins(out[n-1], m) {
			out[n-1].Content += "\n\n" + m.Content
			continue
		}
		out = append(out, m)
	}
	return out
}

// joins reports whether b can be appended to a without losing anything of b.
func joins(a, b llm.Message) bool {
	return a.Role == b.Role && a.Role != "tool" && len(a.ToolCalls) == 0 && len(b.ToolCalls) == 0 && len(b.Raw) == 0
}
