//go:build linux || darwin

package shelltest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
)

// TestG16Place: in a directory that only says that it is a repository which is known from
// another place, a person at a terminal is asked once whether its memory is used there.
// What was typed before the question stood there answers nothing.
func TestG16Place(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	model := llmtest.New(t)
	model.Always(llmtest.Text("fine"))
	for _, name := range []string{"mine", "archive"} {
		git := filepath.Join(dir, name, ".git")
		if err := os.MkdirAll(git, 0o700); err != nil {
			t.Fatal(err)
		}
		for file, text := range map[string]string{"HEAD": "ref: refs/heads/main\n", "config": "[remote \"origin\"]\n\turl = https://example.org/ada/tea\n"} {
			if err := os.WriteFile(filepath.Join(git, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	const question = "use its memory here? "
	x := clitest.Start(t, dir, model)
	x.Await("]> ")
	x.Send("cd ~/mine\r")
	x.Await("mine]> ")
	x.Send(":remember --here the tea is in the third cupboard\r")
	x.Await("remembered")
	x.Await("]> ")
	// Typed ahead, as two lines of a page that are pasted would be.
	x.Send("cd ~/archive\ry\r")
	x.Await(question)
	time.Sleep(50 * time.Millisecond)
	if b, err := os.ReadFile(filepath.Join(dir, "ken", "met.jsonl")); err != nil || strings.Contains(string(b), "archive") {
		t.Fatalf("a key typed ahead was an answer: %s, %v", b, err)
	}
	x.Send("n")
	x.Await("archive]> ")
	x.Await("fine") // the y was the next line
	x.Await("]> ")
	x.Send("where is the tea?\r")
	x.Await("fine")
	x.Await("]> ")
	x.Send(":quit\r")
	x.Exit()
	for i, r := range model.Requests() {
		if strings.Contains(string(r.Body), "cupboard") {
			t.Errorf("request %d has the memory", i)
		}
	}
	if n := strings.Count(strings.Join(strings.Fields(x.Text()), " "), strings.TrimSpace(question)); n != 1 { // however it was wrapped
		t.Errorf("asked %d times", n)
	}
}

// TestG15AskOnTerminal: ken ask on a terminal asks what the shell asks of a model that was
// found, and an answer that was typed ahead is none.
func TestG15AskOnTerminal(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		key  string
		sent bool
	}{{"n", false}, {"\r", false}, {"y", true}, {"\x03", false}} {
		dir := t.TempDir()
		model := llmtest.New(t)
		model.Always(llmtest.Text("fine"))
		at := strings.TrimPrefix(model.URL, "http://")
		if out, err := clitest.Command(t, dir, nil, "remember", "the kettle is blue").CombinedOutput(); err != nil {
			t.Fatalf("%s, %v", out, err)
		}
		cmd := clitest.Command(t, dir, nil, "ask", "what colour is it?")
		cmd.Env = append(cmd.Env, "KEN_TEST_LOCAL="+at)
		x := clitest.Open(t, cmd)
		x.Send("y\r") // before it is asked
		x.Await("use test at " + at + " with your memory and conversations? ")
		x.Send(c.key)
		x.Await("fine")
		x.Exit()
		requests := model.Requests()
		if got := strings.Contains(string(requests[len(requests)-1].Body), "the kettle is blue"); got != c.sent {
			t.Errorf("%q: memory was sent: %v", c.key, got)
		}
	}
}
