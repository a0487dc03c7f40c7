package cli_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/proctest"
	"ken/internal/ttytest"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
)

// TestC28: two conversations that are held beside each other, and both summed up, are both in what the next one begins with, the
// later one on top, within the budget.
func TestC28(t *testing.T) {
	t.Parallel()
	dir, model := t.TempDir(), llmtest.New(t)
	model.Always(llmtest.Text("All right."))
	clitest.Configure(t, dir, "[memory]\nuser_namespace = \"me\"\nworking_memory_max_tokens = 120\n")
	type shell struct {
		in    io.WriteCloser
		ended chan error
	}
	begin := func(lines string) shell {
		cmd := clitest.Command(t, dir, model)
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		s := shell{in, make(chan error, 1)}
		go func() { s.ended <- cmd.Wait() }()
		if _, err := io.WriteString(in, lines); err != nil {
			t.Fatal(err)
		}
		return s
	}
	ends := func(s shell) {
		t.Helper()
		if _, err := io.WriteString(s.in, ":compact\n"); err != nil {
			t.Error(err)
		}
		_ = s.in.Close()
		if err := <-s.ended; err != nil {
			t.Error(err)
		}
	}
	asked := func(n int) {
		t.Helper()
		if !proctest.Within(ttytest.Patience, func() bool { return len(model.Requests()) >= n }) {
			t.Fatalf("%d requests, want %d", len(model.Requests()), n)
		}
	}
	filler := ""
	for range 6 {
		filler += "The harbour has a wall of stone that keeps the waves of the winter out.\n"
	}
	one := begin("I am moving to Lisbon in June.\n" + filler)
	two := begin("My boat is called Annabel.\n" + filler)
	asked(14) // both began before either left anything
	ends(one)
	ends(two)
	working, err := os.ReadFile(filepath.Join(dir, "ken", "working.md"))
	if err != nil {
		working, err = os.ReadFile(filepath.Join(dir, "working.md"))
	}
	text := string(working)
	boat, flat := strings.Index(text, "Annabel"), strings.Index(text, "Lisbon")
	if err != nil || boat < 0 || flat < boat || len(text) > 120*4+200 {
		t.Errorf("%v: the later one at %d, the earlier one at %d of %d bytes\n%s", err, boat, flat, len(text), text)
	}
	n := len(model.Requests())
	if out, err := clitest.Command(t, dir, model, "ask", "what am I at?").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if body := string(model.Requests()[n].Body); !strings.Contains(body, "Annabel") || !strings.Contains(body, "Lisbon") {
		t.Errorf("the next question begins\n%s", body)
	}
}
