package trace_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/trace"
)

// TestSkills: which skills went along is read as it was written.
func TestSkills(t *testing.T) {
	t.Parallel()
	want := []trace.Doc{
		{File: "AGENTS.md", SHA256: "ab", Bytes: 3, Of: 4},
		{Skill: "deploy", Own: true, File: "/home/me/skills/deploy/SKILL.md", SHA256: "cd", Bytes: 10, Of: 20},
		{Skill: "brew", File: ".ken/skills/brew.md", SHA256: "ef", Bytes: 5, Of: 5},
		{Skill: "loaded"},
	}
	e := trace.Trace{N: 2, Time: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC), Docs: want}.Event(nil)
	got, ok := trace.Read(e)
	if diff := cmp.Diff(want, got.Docs); !ok || diff != "" {
		t.Errorf("%v (-want +got)\n%s", ok, diff)
	}
}
