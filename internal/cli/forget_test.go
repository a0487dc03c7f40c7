//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/llm/llmtest"
)

// TestL5RunningShell: what is forgotten leaves the prompt of the conversation that
// is going on, the turn that taught it and the answer that repeats it as well, and
// undo brings it back; what is erased leaves it for good, here or in another
// process, and is not written again.
func TestL5RunningShell(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	model := llmtest.New(t, llmtest.Text("Noted: the vault opens with PLUM-7!"))
	model.Always(llmtest.Text("ok"))
	x := startTerminal(t, dir, model)
	x.await("]> ")
	x.send("remember that the vault opens with plum-7\r")
	x.await("remembered #1")
	x.await("PLUM-7!")
	x.await("]> ")
	ask := func(says, command, answer string) {
		t.Helper()
		if command != "" {
			x.send(command + "\r")
			x.await(answer)
			x.await("]> ")
		}
		x.send("and now?\r")
		x.await("ok\r\n")
		x.await("]> ")
		reqs := model.Requests()
		body := string(reqs[len(reqs)-1].Body)
		if got := strings.Contains(strings.ToLower(body), "plum-7"); got != (says == "plum-7") || !strings.Contains(body, says) {
			t.Errorf("after %q the request is\n%s", command, body)
		}
	}
	ask("plum-7", "", "")
	ask("[forgotten]", ":forget 1", "forgot #1")
	ask("plum-7", ":undo", "undid #2")
	x.send(":forget 1\r")
	x.await("forgot #1")
	x.send(":history\r")
	x.await("2 ken: [forgotten]")
	x.send(":undo\r")
	x.await("undid #4")
	x.await("]> ")
	// In another process, at its terminal.
	other := startTerminal(t, dir, nil, "erase", "1")
	other.await("#1: the vault opens with plum-7")
	other.await("erase for good: 1 line, 2 turns? [y/N] ")
	other.send("y\r")
	other.await(": 0 hits")
	if code := other.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	ask("[erased]", "", "")
	// Here: a command's output that was not sent yet, and a memory of this conversation.
	x.send("remember that the gate opens with pear-8\r")
	x.await("remembered #")
	x.await("ok\r\n")
	x.await("]> ")
	x.send("$echo the gate opens with pear-8\r")
	x.await("exit 0")
	x.send(":erase the gate opens with pear-8\r")
	x.await("[y/N] ")
	x.send("y\r")
	x.await(": 0 hits")
	x.await("]> ")
	ask("[erased]", "", "")
	x.send(":quit\r")
	x.exit()
	reqs := model.Requests()
	if body := string(reqs[len(reqs)-1].Body); strings.Contains(body, "pear-8") {
		t.Errorf("the last request is\n%s", body)
	}
	err := filepath.WalkDir(filepath.Join(dir, "ken"), func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		if s := strings.ToLower(string(b)); strings.Contains(s, "plum-7") || strings.Contains(s, "pear-8") {
			t.Errorf("%s has it:\n%s", path, b)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestEraseUnsaved: a conversation that is not saved yet has nothing of what was
// erased when it is.
func TestEraseUnsaved(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "ken"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "ken", "config.toml"), []byte("[session]\nautosave = false\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	model := llmtest.New(t)
	model.Always(llmtest.Text("fine"))
	x := startTerminal(t, dir, model)
	x.await("]> ")
	x.send("remember that the vault opens with plum-7\r")
	x.await("fine\r\n")
	x.await("]> ")
	x.send(":erase 1\r")
	x.await("[y/N] ")
	x.send("y\r")
	x.await(": 0 hits")
	x.await("]> ")
	x.send(":save\r")
	x.await("saved ")
	x.send(":quit\r")
	x.exit()
	if text := sessionText(t, dir); strings.Contains(text, "plum-7") || !strings.Contains(text, `"content":"[erased]","n":1`) || !strings.Contains(text, "fine") {
		t.Errorf("the session is\n%s", text)
	}
}

// TestL5OtherProcess: what another process forgets or erases leaves the start-up
// block of the conversation that is going on, and what a command printed before;
// nothing of it is sent or written again.
func TestL5OtherProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	model := llmtest.New(t)
	model.Always(llmtest.Text("fine"))
	ken := func(args ...string) {
		t.Helper()
		if out, err := kenCommand(t, dir, nil, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	ken("remember", "the vault opens with plum-7")
	ken("remember", "the gate opens with pear-8")
	x := startTerminal(t, dir, model)
	x.await("memory: 2 items injected")
	x.await("]> ")
	ask := func(with ...string) {
		t.Helper()
		x.send("and now?\r")
		x.await("fine\r\n")
		x.await("]> ")
		reqs := model.Requests()
		body := string(reqs[len(reqs)-1].Body)
		for _, word := range []string{"plum-7", "pear-8", "quince-9"} {
			if got, want := strings.Contains(body, word), strings.Contains(strings.Join(with, " "), word); got != want {
				t.Errorf("%s in the request is %v:\n%s", word, got, body)
			}
		}
	}
	ask("plum-7", "pear-8")
	ken("forget", "2")
	x.send(":history\r")
	x.await("plum-7")
	x.await("]> ")
	ask("plum-7")
	ken("remember", "the shed opens with quince-9")
	ask("plum-7", "quince-9")
	x.send("$echo the vault opens with plum-7\r")
	x.await("exit 0")
	x.await("]> ")
	ken("erase", "1", "--yes")
	ask("quince-9")
	x.send(":quit\r")
	x.exit()
	if text := sessionText(t, dir); strings.Contains(text, "plum-7") {
		t.Errorf("the session is\n%s", text)
	}
}
