//go:build unix

package turn_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/agent/loop"
	"ken/internal/agent/turn"
	"ken/internal/gate"
	"ken/internal/llm/llmtest"
	"ken/internal/memory"
	"ken/internal/proctest"
	"ken/internal/runner"
	"ken/internal/session"
)

// TestKeptForgotten: what a tool printed is not read again, by anybody, once it says what was forgotten, even where the
// result does not; a result that was given whole is read by the number of its turn.
func TestKeptForgotten(t *testing.T) {
	t.Parallel()
	server := llmtest.New(t, llmtest.Call("a", "shell", `{"command":"cat note.txt"}`), llmtest.Text("read"))
	dir := files(t, map[string]string{"memory.jsonl": staging + lamp})
	many := strings.Repeat("nothing\n", 5000)
	if err := os.WriteFile(filepath.Join(dir, "note.txt"), []byte(many+"the staging host is called kettle\n"+many), 0o600); err != nil {
		t.Fatal(err)
	}
	h := open(t, dir, server, nil)
	ports := runner.Ports{
		Dir: func() string { return dir }, Getenv: os.Getenv, Approved: new(gate.Session), Approver: says(gate.HowOnce),
		FindProgram: func(string) (string, error) { return "/bin/bash", nil }, Environ: func() []string { return proctest.Environ(t) },
	}
	d := turn.New(h.View, turn.Options{
		Channel: session.ChannelAsk, Loop: loop.New(h.View, runner.New(h.View, ports), loop.Options{}),
	})
	ask := func(text string) {
		t.Helper()
		if _, err := d.Ask(t.Context(), turn.Question{Text: text}, turn.Events{}); err != nil {
			t.Fatal(err)
		}
	}
	ask("what does the note say?")
	if _, text, err := turn.Output(t.Context(), d, "3"); err != nil || !strings.Contains(text, "is called kettle") {
		t.Fatalf("%.100q, %v", text, err)
	}
	server.Add(llmtest.Call("b", "shell", `{"command":"echo short"}`))
	server.Add(llmtest.Call("c", "read_file", `{"path":"out:7"}`))
	server.Always(llmtest.Text("done"))
	ask("and this?")
	if bodies := sent(server); !strings.Contains(bodies[len(bodies)-1], "short\\n[end of result read_file") {
		t.Errorf("%s", bodies[len(bodies)-1])
	}
	w, err := h.Memory.Writer()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Forget(t.Context(), "", memory.Num(1)); err != nil {
		t.Fatal(err)
	}
	d.Changed(nil)
	if _, text, err := turn.Output(t.Context(), d, "3"); !errors.Is(err, fs.ErrNotExist) || text != "" {
		t.Errorf("%.100q, %v", text, err)
	}
	if _, text, err := turn.Output(t.Context(), d, "7"); err != nil || !strings.Contains(text, "short") {
		t.Errorf("%q, %v", text, err)
	}
}
