package acp

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coder/acp-go-sdk"
	"github.com/google/go-cmp/cmp"

	"ken/internal/app"
	"ken/internal/llm/llmtest"
)

// files are all files below a directory, with what is in them.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		all[path] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// remembered has the person of a home remember something.
func remembered(t *testing.T, home string) {
	t.Helper()
	e := newEditor(t, home)
	if _, err := e.prompt(e.greet(), acp.TextBlock("/remember my boat is called Annabel")); err != nil {
		t.Fatal(err)
	}
	_ = e.in.Close()
	if err := <-e.ended; err != nil {
		t.Fatal(err)
	}
}

// TestReadOnly: where the memory is only read, questions are answered with it and no file of it is another one afterwards; what
// would write says so.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	remembered(t, home)
	before := files(t, filepath.Join(home, "ken"))
	e := newEditor(t, home, func(o *Options) {
		m := memoryOf(o.Talk.Getenv)
		m.Flags = &app.Flags{ReadOnly: true}
		o.Talk.Memory = app.Open(m)
	})
	e.says = yes(onceID)
	id := e.greet()
	e.model.Add(llmtest.Text("Annabel."))
	if stop, err := e.prompt(id, acp.TextBlock("what is my boat called?")); stop != acp.StopReasonEndTurn || err != nil {
		t.Error(stop, err)
	}
	if r := e.model.Requests(); !strings.Contains(string(r[0].Body), "Annabel") {
		t.Errorf("%s", r[0].Body)
	}
	e.said()
	for _, line := range []string{"/remember my bike is red", "/forget 1", "/undo 1"} {
		if _, err := e.prompt(id, acp.TextBlock(line)); err != nil {
			t.Error(err)
		}
		if got := e.said(); !strings.Contains(got, "only read") {
			t.Errorf("%s: %q", line, got)
		}
	}
	e.model.Add(llmtest.Call("c1", "write_file", args(t, map[string]any{"path": "a.txt", "content": "hello\n"})), llmtest.Text("So."))
	if _, err := e.prompt(id, acp.TextBlock("write it")); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(e.dir, "a.txt")); err == nil {
		t.Error("a file was changed that could not be taken back")
	}
	_ = e.in.Close()
	if err := <-e.ended; err != nil {
		t.Error(err)
	}
	if d := cmp.Diff(before, files(t, filepath.Join(home, "ken"))); d != "" {
		t.Error(d)
	}
}

// TestAgent: who is no person has the memory's tools and no others, is asked about nothing, and what they remember waits.
func TestAgent(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	remembered(t, home)
	e := newEditor(t, home, func(o *Options) { o.Talk.Who = app.Actor{Kind: app.Agent, Name: "other"} })
	e.says = yes(sessionID)
	id := e.greet()
	for name, a := range map[string]map[string]any{
		"write_file": {"path": "a.txt", "content": "hello\n"}, "shell": {"command": "touch owned"},
	} {
		e.model.Add(llmtest.Call("c1", name, args(t, a)), llmtest.Text("So."))
		if _, err := e.prompt(id, acp.TextBlock("do it")); err != nil {
			t.Error(err)
		}
		r := e.model.Requests()
		m := r[len(r)-1].Messages()
		if got := m[len(m)-1].Content; !strings.Contains(got, "no tool") || !strings.Contains(got, "there are: recall, remember\n") {
			t.Errorf("%s: %q", name, got)
		}
	}
	e.model.Add(llmtest.Call("c1", "remember", args(t, map[string]any{"text": "the sky is green", "kind": "fact"})), llmtest.Text("So."))
	if _, err := e.prompt(id, acp.TextBlock("remember that the sky is green")); err != nil {
		t.Fatal(err)
	}
	if len(e.asked) != 0 || len(files(t, e.dir)) != 0 {
		t.Errorf("%d questions, %v", len(e.asked), files(t, e.dir))
	}
	if b := string(e.model.Requests()[0].Body); strings.Contains(b, `"shell"`) || strings.Contains(b, `"write_file"`) ||
		!strings.Contains(b, `"recall"`) && !strings.Contains(b, `"remember"`) {
		t.Errorf("offered: %s", b)
	}
	e.said()
	for _, line := range []string{"/remember the sky is green", "/memory sky"} {
		if _, err := e.prompt(id, acp.TextBlock(line)); err != nil {
			t.Error(err)
		}
	}
	if got := e.said(); !strings.Contains(got, "Nothing is remembered") {
		t.Error(got)
	}
	for path, b := range files(t, filepath.Join(home, "ken")) {
		if filepath.Base(path) == "memory.jsonl" && strings.Contains(b, "green") {
			t.Errorf("%s: %s", path, b)
		}
	}
}
