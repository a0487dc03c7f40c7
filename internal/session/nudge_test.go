package session

import (
	"strings"
	"testing"
)

// TestNudge: a turn that ken wrote by itself is read back as one, and is no title and no question of the person's.
func TestNudge(t *testing.T) {
	t.Parallel()
	lines := []Turn{
		{N: 1, Role: RoleUser, Content: "(go on with the goal)", From: "tool", Nudge: true},
		{N: 2, Role: RoleUser, Content: "find the kettle"},
	}
	text := ""
	for _, turn := range lines {
		line, err := turn.Line()
		if err != nil {
			t.Fatal(err)
		}
		text += string(line)
	}
	got, err := Read(strings.NewReader(text), "x")
	if err != nil {
		t.Fatal(err)
	}
	turns := got.Turns()
	if len(turns) != 2 || turns[0].ByPerson() || !turns[0].Nudge || !turns[1].ByPerson() || len(turns[0].Extra) > 0 {
		t.Errorf("read %+v", turns)
	}
	if got.Title() != "find the kettle" {
		t.Errorf("title %q", got.Title())
	}
}
