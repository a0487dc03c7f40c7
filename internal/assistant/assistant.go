package assistant

import (
	"strings"
	"time"
)

// mostName is how much of a name is kept, in bytes.
const mostName = 32

// A known is an assistant that ken knows.
type known struct {
	name    string        // as people call it
	claims  []string      // what it calls itself; a last * stands for any more
	markers []string      // variables that its shell has
	keeps   string        // where it keeps its conversations, in the person's home
	waits   time.Duration // as Waits has it
}

func all() []known {
	return []known{
		{"claude", []string{"claude-code", "claude-ai"}, []string{"CLAUDECODE"}, "~/.claude/projects", 0},
		{"codex", []string{"codex-mcp-client"}, []string{"CODEX_THREAD_ID"}, "~/.codex/sessions", time.Second}, // it asks after 1.5 s
		{"gemini", []string{"gemini-cli-mcp-client"}, []string{"GEMINI_CLI"}, "~/.gemini/tmp/*/chats", 0},
		{"opencode", nil, []string{"OPENCODE"}, "~/.local/share/opencode", 0},
		{"copilot", []string{"copilot-cli"}, []string{"COPILOT_CLI"}, "~/.copilot", 0},
		{"qwen", []string{"qwen-cli-mcp-client*"}, []string{"QWEN_CODE"}, "~/.qwen/projects/*/chats", 0}, // and the server's name
	}
}

// anyMarker is a variable that several assistants set, to what they are called.
const anyMarker = "AI_AGENT"

// NameOf is what an assistant calls itself as memories have it: lower case letters, digits and hyphens, at most 32. Those that
// call themselves otherwise than people do get the name that people have for them. "" if nothing is left.
func NameOf(claimed string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-':
			return r
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		case r == ' ', r == '/', r == '.', r == '_':
			return '-'
		}
		return -1
	}, claimed[:min(len(claimed), 4*mostName)])
	for _, k := range all() {
		for _, claim := range k.claims {
			if begin, more := strings.CutSuffix(claim, "*"); name == begin || more && strings.HasPrefix(name, begin) {
				return k.name
			}
		}
	}
	return strings.Trim(name[:min(len(name), mostName)], "-")
}

// Around returns the assistant from whose shell this program was started, by the variables that shells of assistants
// have, and the variable that says so. Both are "" where none does; name alone is where it says no name.
func Around(getenv func(string) string) (name, by string) {
	for _, k := range all() {
		for _, m := range k.markers {
			if on(getenv(m)) {
				return k.name, m
			}
		}
	}
	value := getenv(anyMarker)
	if !on(value) {
		return "", ""
	}
	for _, k := range all() { // claude-code_2-1-330_agent
		if said := NameOf(value); said == k.name || strings.HasPrefix(said, k.name+"-") {
			return k.name, anyMarker
		}
	}
	if value == "1" || strings.EqualFold(value, "true") {
		return "", anyMarker
	}
	return NameOf(value), anyMarker
}

// on reports whether a variable says yes.
func on(value string) bool {
	value = strings.TrimSpace(value)
	return value != "" && value != "0" && !strings.EqualFold(value, "false")
}

// Keeps returns where an assistant keeps its conversations, with what it was told in them; "" if that is not known.
func Keeps(name string) string {
	for _, k := range all() {
		if k.name == name {
			return k.keeps
		}
	}
	return ""
}

// Waits is how long an assistant waits for a server to greet it, less what the server's start takes, before it asks its model without
// the server; 0: longer than a server needs, or it is not known.
func Waits(name string) time.Duration {
	for _, k := range all() {
		if k.name == name {
			return k.waits
		}
	}
	return 0
}
