//go:build linux || darwin

package shelltest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
)

// TestF2SecondShell: with session.resume_on_start a second shell begins a conversation of
// its own while the first one has the last, and says so, with a way on that works.
func TestF2SecondShell(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "ken"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "ken", "config.toml"), []byte("[session]\nresume_on_start = true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	model := llmtest.New(t)
	model.Always(llmtest.Text("an answer"))
	first := clitest.Start(t, dir, model)
	first.Await("]> ")
	first.Send("the kettle\r")
	first.Await("an answer")
	second := clitest.Start(t, dir, model)
	second.Await("the last conversation is open in another ken; this is a new one")
	second.Await(":resume --fork ")
	second.Await("]> ")
	second.Send(":resume --fork kettle\r")
	second.Await("going on with ")
	second.Send(":quit\r")
	if code := second.Exit(); code != 0 {
		t.Errorf("the second shell: exit code %d", code)
	}
	first.Send(":quit\r")
	first.Exit()
}

// TestF9Project: the sentence that has all of a project forgotten lists what that is, and
// asks.
func TestF9Project(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, text := range []string{"uses pnpm", "deploys with make ship"} {
		out, err := clitest.Command(t, dir, nil, "remember", "--scope", "repo:example.org/me/tea", text).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	x := clitest.Start(t, dir, llmtest.New(t))
	x.Await("]> ")
	x.Send("forget everything about project tea\r")
	x.Await("all of repo:tea")
	x.Await("uses pnpm")
	x.Await("[N] no > ")
	x.Send("y\r")
	x.Await("forgot 2 items")
	x.Await("]> ")
	x.Send(":remember --scope here uses tabs\r")
	x.Await("remembered #")
	x.Await("]> ")
	x.Send("please forget everything about this project\r")
	x.Await("all of here")
	x.Await("uses tabs")
	x.Await("forget 1 item? [y] yes  [N] no > ")
	x.Send("y\r")
	x.Await("forgot #4")
	x.Send(":quit\r")
	x.Exit()
}

// TestB8ResumeByText: the shell goes on with the one conversation in which a word was said,
// in whatever turn that was.
func TestB8ResumeByText(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	model := llmtest.New(t)
	model.Always(llmtest.Text("an answer"))
	first := clitest.Start(t, dir, model)
	for _, line := range []string{"good morning", "where is the kettle?"} {
		first.Await("]> ")
		first.Send(line + "\r")
		first.Await("an answer")
	}
	first.Await("]> ")
	first.Send(":quit\r")
	first.Exit()
	second := clitest.Start(t, dir, model)
	second.Await("]> ")
	second.Send(":resume kettle\r")
	second.Await("going on with ")
	second.Await("4 turns, \"good morning\"")
}

// TestB20InterruptedQuestion: Ctrl-C at a question shows as itself, and not as a key
// that was not pressed.
func TestB20InterruptedQuestion(t *testing.T) {
	t.Parallel()
	model := llmtest.New(t)
	model.Always(llmtest.Text("CMD: touch made"))
	x := clitest.Start(t, t.TempDir(), model)
	x.Await("]> ")
	x.Send("make it\r")
	x.Await("run it?")
	x.Send("\x03")
	x.Await("^C")
	x.Await("]> ")
	if rows := strings.Join(x.Rows(), "\n"); strings.Contains(rows, "q^C") || strings.Contains(rows, "] q") {
		t.Errorf("the key of another is echoed:\n%s", rows)
	}
}
