//go:build linux || darwin

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/llm/llmtest"
)

// keysEnd is the end of the question about a command that a model offers.
const keysEnd = "[N]o > "

// TestS9Confirm: what the model offers at the beginning of a line is asked about and
// nothing else is, Enter declines, y runs on the person's terminal, and the output
// goes with the next turn.
func TestS9Confirm(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	model := llmtest.New(t,
		llmtest.Text("Look:\n\nCMD: ls\n  CMD: rm x\n"),
		llmtest.Text("CMD: echo out-of-it\n"),
		llmtest.Text("I see."))
	if err := os.WriteFile(filepath.Join(dir, "x"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	x := startTerminal(t, dir, model)
	x.await("]> ")
	before := x.settings()
	x.send("what is here?\r")
	x.await("the model offers to run:")
	x.await("  | ls\r\n")
	x.await(keysEnd)
	x.send("\r")
	x.await("]> ")
	if strings.Contains(x.text(), "── exit") {
		t.Fatal("Enter ran it")
	}
	if strings.Contains(x.text(), "| rm x") {
		t.Fatal("an indented line was offered")
	}
	x.isAsBefore(before)
	x.send("and now?\r")
	x.await("  | echo out-of-it\r\n")
	x.await(keysEnd)
	x.send("y")
	x.await("── echo out-of-it ──")
	x.await("out-of-it\r\n── exit 0 ──")
	x.await("]> ")
	x.send("thanks\r")
	x.await("I see.")
	x.await("]> ")
	x.send("\x1b[A\x1b[A") // thanks, and what ran
	x.await("$echo out-of-it")
	x.send("\x15:quit\r")
	if code := x.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	last := model.Requests()[2].Messages()
	want := "[exec output]\n$ echo out-of-it\nout-of-it\n[end of exec output]\n\nthanks"
	if got := last[len(last)-1]; got.Role != "user" || got.Content != want {
		t.Errorf("the model was told %s %q", got.Role, got.Content)
	}
	for i, m := range last[1:] {
		if role := []string{"user", "assistant"}[i%2]; m.Role != role {
			t.Errorf("message %d is of the %s, want %s", i+1, m.Role, role)
		}
	}
	text := sessionText(t, dir)
	if !strings.Contains(text, `"event":"exec","cmd":"echo out-of-it","lane":"user","exit":0,`) {
		t.Errorf("the session does not have the command:\n%s", text)
	}
	if strings.Contains(text, `"cmd":"ls"`) {
		t.Errorf("the session has a command that was declined:\n%s", text)
	}
	audit, err := os.ReadFile(filepath.Join(dir, "ken", "audit.jsonl"))
	if n := strings.Count(string(audit), "\n"); err != nil || n != 2 || strings.Contains(string(audit), "echo") ||
		!strings.Contains(string(audit), `"act":"refuse","how":"refused"`) || !strings.Contains(string(audit), `"act":"run","how":"once"`) {
		t.Errorf("the audit, %v:\n%s", err, audit)
	}
}
