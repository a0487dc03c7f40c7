//go:build unix

package shelltest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/cli/clitest"
)

// TestConfirmInterrupt: Ctrl-C at a question in the shell is no, and the shell
// goes on; outside it ends the command, without noise.
func TestConfirmInterrupt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	x := clitest.Start(t, dir, nil)
	x.Await("]> ")
	x.Send(":remember tea at noon\r")
	x.Await("remembered #1")
	x.Await("]> ")
	x.Send(":memory clear\r")
	x.Await("forget all 1 item? [y] yes  [N] no > ")
	x.Send("\x03")
	x.Await("nothing was forgotten")
	x.Await("]> ")
	x.Send(":memory list\r")
	x.Await("tea at noon")
	x.Await("]> ")
	x.Send(":memory clear\r")
	x.Await("[N] no > ")
	x.Send("y\r")
	x.Await("cleared 1 item (undo: :undo 2)")
	x.Await("]> ")
	x.Send(":undo\r")
	x.Await("undid #2")
	x.Send("\x04")
	if code := x.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}

	x = clitest.Start(t, dir, nil, "memory", "clear")
	x.Await("[N] no > ")
	x.Send("\x03")
	if code := x.Exit(); code != 130 {
		t.Errorf("outside the shell: exit code %d", code)
	}
	if noise := x.Unseen(); strings.Contains(noise, "error") {
		t.Errorf("outside the shell it said %q", noise)
	}
	text, err := os.ReadFile(filepath.Join(dir, "ken", "memory.jsonl"))
	if n := strings.Count(string(text), `"kind":"forget"`); err != nil || n != 1 {
		t.Errorf("%v, %d tombstones:\n%s", err, n, text)
	}
}
