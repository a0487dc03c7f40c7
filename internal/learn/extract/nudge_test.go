package extract

import (
	"testing"

	"ken/internal/session"
)

// TestNudge: what ken says by itself, behind what commands printed, is nothing that the person typed, and shown to no model.
func TestNudge(t *testing.T) {
	t.Parallel()
	turn := session.Turn{
		N: 1, Role: session.RoleUser, From: "tool", Nudge: true,
		Content: "[exec output]\n$ ls\na\n[end of exec output]\n\nI always use fish",
	}
	tr := &session.Transcript{Entries: []session.Entry{{Turn: &turn}}}
	for _, p := range Passages(tr, Reading{}) {
		if p.Typed() || !p.Hidden {
			t.Errorf("passage %+v", p)
		}
	}
	if turn.Nudge = false; len(Passages(tr, Reading{})) != 2 {
		t.Error("of the person's own turn the typed part is not told apart")
	}
}
