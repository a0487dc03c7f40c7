//go:build unix

package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/llm/llmtest"
)

// isSummary reports whether a request has a conversation read for memory.
func isSummary(r llmtest.Request) bool {
	return strings.Contains(r.Messages()[0].Content, "what is worth remembering")
}

// memoryLines are the lines of the memory file below dir.
func memoryLines(t *testing.T, dir string) []map[string]any {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "ken", "memory.jsonl"))
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	var list []map[string]any
	for line := range strings.Lines(string(text)) {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		if m["meta"] == nil {
			list = append(list, m)
		}
	}
	return list
}

// TestS45Triage: of an answer of twelve lines in all manners, ten are offered; what is
// accepted and what is edited is kept with where it was said, and nothing else.
func TestS45Triage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const answer = "Here is what I found:\n- fact: the staging host is kettle\n**pref**: tabs over spaces\ncontext: moving to node 22\n\nHope this helps!\n"
	chat := llmtest.New(t, llmtest.Text("fine"))
	cheap := llmtest.New(t, llmtest.Text(strings.Split(answer, "")...))
	writeSettings(t, dir, "model = \"deep\"\n[models.deep]\nbase_url = \""+chat.URL+"\"\nmodel = \"d\"\n[models.cheap]\nbase_url = \""+cheap.URL+"\"\nmodel = \"c\"\n[memory]\nsummarizer_model = \"cheap\"\n")
	x := startTerminal(t, dir, nil)
	x.await("]> ")
	x.send("the staging host is kettle, I want tabs over spaces, and we are moving to node 22\r")
	x.await("fine")
	x.await("]> ")
	x.send(":memory summarize\r")
	x.await("[memory] candidate (fact): the staging host is kettle")
	x.await("keep? [y/N/edit] ")
	x.send("y\r")
	x.await("[memory] candidate (pref): tabs over spaces")
	x.await("keep? [y/N/edit] ")
	x.send("\r")
	x.await("[memory] candidate (context): moving to node 22")
	x.await("keep? [y/N/edit] ")
	x.send("edit\r")
	x.await("text: ")
	x.send("moving to node 24\r")
	x.await("added 2 of 3 (undo: :undo 1-2)")
	x.await("]> ")
	x.send(":quit\r")
	x.exit()
	if got := len(cheap.Requests()); got != 1 || len(chat.Requests()) != 1 {
		t.Errorf("%d requests went to summarizer_model, %d to the other", got, len(chat.Requests()))
	}
	got := memoryLines(t, dir)
	if len(got) != 2 || got[0]["content"] != "the staging host is kettle" || got[1]["content"] != "moving to node 24" {
		t.Fatalf("kept %v", got)
	}
	for _, m := range got {
		source, _ := m["source"].(map[string]any)
		if m["by"] != "user" || m["origin"] != "model" || source["turn"] != 1.0 || !strings.HasPrefix(source["session"].(string), "20") {
			t.Errorf("%v", m)
		}
	}
}
