//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"ken/internal/llm/llmtest"
)

// keeping writes settings under which one conversation begins with the last one.
func keeping(t *testing.T, dir, more string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, "ken"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "ken", "config.toml"), "[memory]\nuser_namespace = \"user\"\n"+more)
}

// TestCheckpointOnEveryPath: however a shell ends, what it was about is in the working
// memory: on the way out, or when the next one starts if it was killed.
func TestCheckpointOnEveryPath(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(x *terminal){
		"quit": func(x *terminal) { x.send(":quit\r") },
		"eof":  func(x *terminal) { x.send("\x04") },
		"term": func(x *terminal) { _ = x.cmd.Process.Signal(syscall.SIGTERM) },
		"hup":  func(x *terminal) { _ = x.cmd.Process.Signal(syscall.SIGHUP) },
		"kill": func(x *terminal) { _ = x.cmd.Process.Kill() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			keeping(t, dir, "")
			model := llmtest.New(t)
			model.Always(llmtest.Text("ok"))
			x := startTerminal(t, dir, model)
			x.await("]> ")
			for _, line := range []string{"The staging host is kettle.example.org.", "We never deploy on Fridays.", "how do I get there?"} {
				x.send(line + "\r")
				x.await("ok")
				x.await("]> ")
			}
			end(x)
			x.exit()
			path := filepath.Join(dir, "ken", "working.md")
			if b, err := os.ReadFile(path); (err != nil) != (name == "kill") {
				t.Fatalf("afterwards: %q, %v", b, err)
			}
			x = startTerminal(t, dir, model)
			x.await("recent context: ")
			x.await("]> ")
			x.send("hello\r")
			x.await("ok")
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
			x.await("]> ")
			x.send(":quit\r")
			x.exit()
			first, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			// Started once more, nothing is owed.
			x = startTerminal(t, dir, model)
			x.await("]> ")
			x.send(":quit\r")
			x.exit()
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
		keeping(t, dir, "[context]\nkeep_turns = 2\n")
		model := llmtest.New(t, llmtest.Text("fine"), llmtest.Text("I see"), llmtest.Hang("- half a "), llmtest.Text("going on"))
		x := startTerminal(t, dir, model)
		x.await("]> ")
		x.send("The staging host is kettle.example.org.\r")
		x.await("fine")
		x.await("]> ")
		x.send("We never deploy on Fridays.\r")
		x.await("I see")
		x.await("]> ")
		x.send(":compact\r")
		if _, err := model.Await(3); err != nil {
			t.Fatal(err)
		}
		if kill {
			_ = x.cmd.Process.Kill()
			x.exit()
			x = openTerminal(t, kenCommand(t, dir, model, "ask", "-c", "and now?"))
			x.await("going on")
		} else {
			x.send("\x03")
			x.await("]> ")
			x.send("and now?\r")
			x.await("going on")
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
