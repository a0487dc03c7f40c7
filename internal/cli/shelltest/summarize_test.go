//go:build unix

package shelltest

import (
	"strings"
	"testing"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
)

// TestSummarizeWaits: what a conversation has to be kept and waits already is asked about, and decided there;
// what was refused is not.
func TestSummarizeWaits(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	clitest.Configure(t, dir, "[memory]\nuser_namespace = \"me\"\n")
	model := llmtest.New(t)
	model.Reply(func(r llmtest.Request) llmtest.Script {
		if strings.Contains(r.Messages()[0].Content, "what is worth remembering") {
			return llmtest.Text("pref: I live in Porto and work mostly at night\npref: I prefer tabs over spaces")
		}
		return llmtest.Text("fine")
	})
	x := clitest.Start(t, dir, model)
	for _, line := range []string{"I live in Porto and work mostly at night", "I prefer tabs over spaces"} {
		x.Await("]> ")
		x.Send(line + "\r")
		x.Await("waits: :review")
		x.Await("fine")
	}
	x.Await("]> ")
	x.Send(":memory summarize\r")
	x.Await("Porto")
	x.Await("[Enter] next > ")
	x.Send("y\r")
	x.Await("tabs")
	x.Await("[Enter] next > ")
	x.Send("n\r")
	x.Await("added 1 of 2 (undo: ")
	x.Await("]> ")
	x.Send(":memory summarize\r")
	x.Await("nothing to add; 2 candidates known already")
	x.Await("]> ")
	x.Send(":quit\r")
	x.Exit()
	if list, _, _ := clitest.Run(t, dir, "", "review", "--json"); strings.TrimSpace(list) != "[]" {
		t.Errorf("it waits on: %s", list)
	}
	if list, _, _ := clitest.Run(t, dir, "", "memory", "list"); strings.Count(list, "Porto") != 1 || strings.Contains(list, "tabs") {
		t.Errorf("remembered: %s", list)
	}
}
