//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
)

// TestL5RunningShell: what is forgotten leaves the prompt of the conversation that
// is going on, the turn that taught it and the answer that repeats it as well, and
// undo brings it back; what is erased leaves it for good, here or in another
// process, and is not written again.
//
//ken:indexed
func TestL5RunningShell(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	model := llmtest.New(t, llmtest.Text("Noted: the vault opens with PLUM-7!"))
	model.Always(llmtest.Text("ok"))
	x := clitest.Start(t, dir, model)
	x.Await("]> ")
	x.Send("remember that the vault opens with plum-7\r")
	x.Await("remembered #1")
	x.Await("PLUM-7!")
	x.Await("]> ")
	ask := func(says, command, answer string) {
		t.Helper()
		if command != "" {
			x.Send(command + "\r")
			x.Await(answer)
			x.Await("]> ")
		}
		x.Send("and now?\r")
		x.Await("ok\r\n")
		x.Await("]> ")
		reqs := model.Requests()
		body := string(reqs[len(reqs)-1].Body)
		if got := strings.Contains(strings.ToLower(body), "plum-7"); got != (says == "plum-7") || !strings.Contains(body, says) {
			t.Errorf("after %q the request is\n%s", command, body)
		}
	}
	ask("plum-7", "", "")
	ask("[forgotten]", ":forget 1", "forgot #1")
	ask("plum-7", ":undo", "undid #2")
	x.Send(":forget 1\r")
	x.Await("forgot #1")
	x.Send(":history\r")
	x.Await("2 ken: [forgotten]")
	x.Send(":undo\r")
	x.Await("undid #4")
	x.Await("]> ")
	// In another process, at its terminal.
	other := clitest.Start(t, dir, nil, "erase", "1")
	other.Await("#1: the vault opens with plum-7")
	other.Await("erase for good: 1 line, 2 turns? [y] yes  [N] no > ")
	other.Send("y\r")
	other.Await(": 0 hits")
	if code := other.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	ask("[erased]", "", "")
	// Here: a command's output that was not sent yet, and a memory of this conversation.
	x.Send("remember that the gate opens with pear-8\r")
	x.Await("remembered #")
	x.Await("ok\r\n")
	x.Await("]> ")
	x.Send("$echo the gate opens with pear-8\r")
	x.Await("exit 0")
	x.Send(":erase the gate opens with pear-8\r")
	x.Await("[N] no > ")
	x.Send("y\r")
	x.Await(": 0 hits")
	x.Await("]> ")
	ask("[erased]", "", "")
	x.Send(":quit\r")
	x.Exit()
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
//
//ken:indexed
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
	x := clitest.Start(t, dir, model)
	x.Await("]> ")
	x.Send("remember that the vault opens with plum-7\r")
	x.Await("fine\r\n")
	x.Await("]> ")
	x.Send(":erase 1\r")
	x.Await("[N] no > ")
	x.Send("y\r")
	x.Await(": 0 hits")
	x.Await("]> ")
	x.Send(":save\r")
	x.Await("saved ")
	x.Send(":quit\r")
	x.Exit()
	if text := clitest.Sessions(t, dir); strings.Contains(text, "plum-7") || !strings.Contains(text, `"content":"[erased]","n":1`) || !strings.Contains(text, "fine") {
		t.Errorf("the session is\n%s", text)
	}
}

// TestL5OtherProcess: what another process forgets or erases leaves the start-up
// block of the conversation that is going on, and what a command printed before;
// nothing of it is sent or written again.
//
//ken:indexed
func TestL5OtherProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	model := llmtest.New(t)
	model.Always(llmtest.Text("fine"))
	ken := func(args ...string) {
		t.Helper()
		if out, err := clitest.Command(t, dir, nil, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	ken("remember", "the vault opens with plum-7")
	ken("remember", "the gate opens with pear-8")
	x := clitest.Start(t, dir, model)
	x.Await("memory: 2 items injected")
	x.Await("]> ")
	ask := func(with ...string) {
		t.Helper()
		x.Send("and now?\r")
		x.Await("fine\r\n")
		x.Await("]> ")
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
	x.Send(":history\r")
	x.Await("plum-7")
	x.Await("]> ")
	ask("plum-7")
	ken("remember", "the shed opens with quince-9")
	ask("plum-7", "quince-9")
	x.Send("$echo the vault opens with plum-7\r")
	x.Await("exit 0")
	x.Await("]> ")
	ken("erase", "1", "--yes")
	ask("quince-9")
	x.Send(":quit\r")
	x.Exit()
	if text := clitest.Sessions(t, dir); strings.Contains(text, "plum-7") {
		t.Errorf("the session is\n%s", text)
	}
}
