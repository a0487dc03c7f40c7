package assistant

import (
	"strings"
	"testing"
)

// TestNameOf: what an assistant calls itself is brought into the form of a name, and known ones into theirs.
func TestNameOf(t *testing.T) {
	t.Parallel()
	for claimed, want := range map[string]string{
		"claude-code": "claude", "codex-mcp-client": "codex", "gemini-cli-mcp-client": "gemini", "opencode": "opencode",
		"copilot-cli": "copilot", "qwen-cli-mcp-client-ken": "qwen", "Some Client/2.1": "some-client-2-1", "": "",
		"user": "user", strings.Repeat("x", 5000): strings.Repeat("x", 32), "ünïcode\x1b[31m\n": "ncode31m", "--": "",
	} {
		if got := NameOf(claimed); got != want {
			t.Errorf("%.20q: %q, want %q", claimed, got, want)
		}
	}
}

// TestAround: the shell of each assistant is known by its variables, and nothing else is taken for one.
func TestAround(t *testing.T) {
	t.Parallel()
	type is struct{ name, by string }
	for env, want := range map[string]is{
		"":                                   {},
		"CLAUDECODE=1":                       {"claude", "CLAUDECODE"},
		"CLAUDECODE=0":                       {},
		"CLAUDECODE=false":                   {},
		"CLAUDECODE= ":                       {},
		"CODEX_THREAD_ID=x":                  {"codex", "CODEX_THREAD_ID"},
		"GEMINI_CLI=1":                       {"gemini", "GEMINI_CLI"},
		"OPENCODE=1":                         {"opencode", "OPENCODE"},
		"COPILOT_CLI=1":                      {"copilot", "COPILOT_CLI"},
		"QWEN_CODE=1":                        {"qwen", "QWEN_CODE"},
		"AI_AGENT=claude-code_2-1-330_agent": {"claude", "AI_AGENT"},
		"AI_AGENT=Some One":                  {"some-one", "AI_AGENT"},
		"AI_AGENT=1":                         {"", "AI_AGENT"},
		"AI_AGENT=user":                      {"user", "AI_AGENT"},
		"AGENT=1":                            {},
		"CLAUDECODE=1,AI_AGENT=x":            {"claude", "CLAUDECODE"},
	} {
		got := is{}
		got.name, got.by = Around(func(name string) string {
			for _, v := range strings.Split(env, ",") {
				if value, ok := strings.CutPrefix(v, name+"="); ok {
					return value
				}
			}
			return ""
		})
		if got != want {
			t.Errorf("%s: %+v, want %+v", env, got, want)
		}
	}
}

// TestKeeps: of each assistant that is known by its shell it is known where it keeps its conversations.
func TestKeeps(t *testing.T) {
	t.Parallel()
	for _, k := range all() {
		if got := Keeps(k.name); !strings.HasPrefix(got, "~/.") || NameOf(k.name) != k.name {
			t.Errorf("%s: %q", k.name, got)
		}
	}
	if Keeps("some-one") != "" || Keeps("") != "" {
		t.Error("somebody unknown keeps something")
	}
}
