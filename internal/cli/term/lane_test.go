package term

import (
	"strings"
	"testing"
)

// TestLowers: whatever the environment says, it takes authority away from a run and gives it none; the less trusted of
// what KEN_ORIGIN and the shells of assistants say counts.
func TestLowers(t *testing.T) {
	t.Parallel()
	for env, want := range map[string]string{
		"":                                  "",
		"KEN_ORIGIN=user":                   "",
		"KEN_ORIGIN=model":                  "model",
		"KEN_ORIGIN=tool":                   "tool",
		"KEN_ORIGIN=nonsense":               "external",
		"CLAUDECODE=1":                      "agent:claude",
		"CLAUDECODE=0":                      "",
		"CODEX_THREAD_ID=01":                "agent:codex",
		"GEMINI_CLI=1":                      "agent:gemini",
		"OPENCODE=1":                        "agent:opencode",
		"COPILOT_CLI=1":                     "agent:copilot",
		"QWEN_CODE=1":                       "agent:qwen",
		"AI_AGENT=1":                        "agent",
		"AI_AGENT=user":                     "agent:user",
		"CLAUDECODE=1 AI_AGENT=who":         "agent:claude",
		"CLAUDECODE=1 KEN_ORIGIN=user":      "agent:claude",
		"CLAUDECODE=1 KEN_ORIGIN=model":     "agent:claude",
		"CLAUDECODE=1 KEN_ORIGIN=tool":      "tool",
		"CLAUDECODE=1 KEN_ORIGIN=agent:bot": "agent:bot",
		"CLAUDECODE=1 KEN_ORIGIN=external":  "external",
	} {
		vars := make(map[string]string)
		for _, v := range strings.Fields(env) {
			name, value, _ := strings.Cut(v, "=")
			vars[name] = value
		}
		a := New(Env{Getenv: func(name string) string { return vars[name] }})
		if got := string(a.Lane.Origin()); got != want || a.Lane.In() != (want != "") || string(a.Lane.Actor().Origin()) != want {
			t.Errorf("%s: %q, want %q", env, got, want)
		}
		if err := a.Lane.OnlyPerson("erases"); (err == nil) != (want == "") {
			t.Errorf("%s: %v", env, err)
		}
	}
}
