//go:build unix

package shelltest

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
)

// keeping are settings under which one conversation begins with the last one.
const keeping = "[memory]\nuser_namespace = \"user\"\n"

// TestCheckpointOnEveryPath: however a shell ends, what it was about is in the working
// memory: on the way out, or when the next one starts if it was killed.
func TestCheckpointOnEveryPath(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(x *clitest.Terminal){
		"quit": func(x *clitest.Terminal) { x.Send(":quit\r") },
		"eof":  func(x *clitest.Terminal) { x.Send("\x04") },
		"term": func(x *clitest.Terminal) { _ = x.Cmd.Process.Signal(syscall.SIGTERM) },
		"hup":  func(x *clitest.Terminal) { _ = x.Cmd.Process.Signal(syscall.SIGHUP) },
		"kill": func(x *clitest.Terminal) { _ = x.Cmd.Process.Kill() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			clitest.Configure(t, dir, keeping)
			model := llmtest.New(t)
			model.Always(llmtest.Text("ok"))
			x := clitest.Start(t, dir, model)
			x.Await("]> ")
			for _, line := range []string{"The staging host is kettle.example.org.", "We never deploy on Fridays.", "how do I get there?"} {
				x.Send(line + "\r")
				x.Await("ok")
				x.Await("]> ")
			}
			end(x)
			x.Exit()
			path := filepath.Join(dir, "ken", "working.md")
			if b, err := os.ReadFile(path); (err != nil) != (name == "kill") {
				t.Fatalf("afterwards: %q, %v", b, err)
			}
			x = clitest.Start(t, dir, model)
			x.Await("recent context: ")
			x.Await("]> ")
			x.Send("hello\r")
			x.Await("ok")
			reqs := model.Requests()
			if len(reqs) != 4 {
				t.Fatalf("%d requests: a model was asked for it", len(reqs))
			}
			system := reqs[3].Messages()[0].Content
			for _, want := range []string{"--- Recent context ---", "- The staging host is kettle.example.org.", "- We never deploy on Fridays."} {
				if !strings.Contains(system, want) {
					t.Errorf("%q is not sent:\n%s", want, system)
				}
			}
			x.Await("]> ")
			x.Send(":quit\r")
			x.Exit()
			first, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			// Started once more, nothing is owed.
			x = clitest.Start(t, dir, model)
			x.Await("]> ")
			x.Send(":quit\r")
			x.Exit()
			if again, err := os.ReadFile(path); err != nil || string(again) != string(first) {
				t.Errorf("written again: %q, %v", again, err)
			}
		})
	}
}

// TestCompactInterrupted: Ctrl-C while a model sums up leaves the conversation as it
// was, and so does a kill: everything said is live again.
func TestCompactInterrupted(t *testing.T) {
	t.Parallel()
	for _, kill := range []bool{false, true} {
		dir := t.TempDir()
		clitest.Configure(t, dir, keeping+"[context]\nkeep_turns = 2\n")
		model := llmtest.New(t, llmtest.Text("fine"), llmtest.Text("I see"), llmtest.Hang("- half a "), llmtest.Text("going on"))
		x := clitest.Start(t, dir, model)
		x.Await("]> ")
		x.Send("The staging host is kettle.example.org.\r")
		x.Await("fine")
		x.Await("]> ")
		x.Send("We never deploy on Fridays.\r")
		x.Await("I see")
		x.Await("]> ")
		x.Send(":compact\r")
		if _, err := model.Await(3); err != nil {
			t.Fatal(err)
		}
		if kill {
			_ = x.Cmd.Process.Kill()
			x.Exit()
			x = clitest.Open(t, clitest.Command(t, dir, model, "ask", "-c", "and now?"))
			x.Await("going on")
		} else {
			x.Send("\x03")
			x.Await("]> ")
			x.Send("and now?\r")
			x.Await("going on")
		}
		reqs, err := model.Await(4)
		if err != nil {
			t.Fatal(err)
		}
		msgs := reqs[3].Messages()
		if len(msgs) != 6 || msgs[1].Content != "The staging host is kettle.example.org." || strings.Contains(msgs[0].Content, "half a") {
			t.Errorf("kill %v: sent %v", kill, msgs)
		}
		if b, err := os.ReadFile(filepath.Join(dir, "ken", "working.md")); err != nil || !strings.Contains(string(b), "- The staging host is kettle.example.org.") {
			t.Errorf("kill %v: the checkpoint came too late: %q, %v", kill, b, err)
		}
	}
}
