package schema

import (
	"regexp"
	"strings"
	"sync"
)

// joiner is put behind the first character of a role token: nothing is seen of it.
const joiner = "\u2060"

// Inert returns a text of a server without the tokens by which model servers tell messages
// apart: each has a joiner in it.
func Inert(text string) string {
	if !strings.ContainsAny(text, "<[|｜") {
		return text
	}
	return roleToken().ReplaceAllStringFunc(text, func(s string) string {
		_, n := firstRune(s)
		return s[:n] + joiner + s[n:]
	})
}

// Plain takes the joiners of Inert out again.
func Plain(text string) string { return strings.ReplaceAll(text, joiner, "") }

func firstRune(s string) (rune, int) {
	for i, r := range s {
		if i > 0 {
			return r, i
		}
	}
	return 0, len(s)
}

var roleToken = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)<\|[a-z/]|[a-z0-9_]\|>|<｜|｜>|</?s>|<<SYS>>|` +
		`\[/?(?:INST|SYSTEM_PROMPT|TOOL_CALLS|AVAILABLE_TOOLS|TOOL_RESULTS)\]|` +
		`</?(?:think|tool_call|tool_response|tools|start_of_turn|end_of_turn|function_calls|invoke|system|assistant|user)\b|` +
		`\[(?:end|result of|background)\b`)
})
