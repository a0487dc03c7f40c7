package assistant

import (
	"strings"
	"testing"
)

// TestAsked: what programs put around a question is no part of it, nor is more than is looked for.
func TestAsked(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"where?":                               "where?",
		" where?\n":                            "where?",
		"<hook_context>a</hook_context>where?": "where?",
		"<system-reminder>a</system-reminder>x<system_reminder>b</system_reminder>y<system-reminder></system-reminder>": "xy",
		"[memories]\n- a\n[end of memories]\nwhere?": "where?",
		"<hook_context>where?":                       "<hook_context>where?",
		"</hook_context>where?<hook_context>":        "</hook_context>where?<hook_context>",
		"":                                           "",
		strings.Repeat("ü", 5000):                    strings.Repeat("ü", 2000),
	} {
		if got := Asked(message); got != want {
			t.Errorf("%.40q: %.40q, want %.40q", message, got, want)
		}
	}
}
