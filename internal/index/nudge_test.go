package index

import (
	"testing"

	"ken/internal/memory"
	"ken/internal/session"
)

// TestNudge: a turn that ken wrote by itself is found for what commands printed alone, and never as the person's.
func TestNudge(t *testing.T) {
	t.Parallel()
	tr := &session.Transcript{Header: session.Header{Session: "s"}, Entries: []session.Entry{
		{Turn: &session.Turn{N: 1, Role: session.RoleUser, Nudge: true, Content: "(go on with the goal)"}},
		{Turn: &session.Turn{N: 2, Role: session.RoleUser, Nudge: true, Content: "[exec output]\n$ ls\nkettle\n[end of exec output]\n\n(go on)"}},
	}}
	docs := Turns(tr, memory.Hidden{})
	if len(docs) != 1 || docs[0].Ref != "s:2" || docs[0].Kind != "tool" {
		t.Errorf("documents %+v", docs)
	}
}
