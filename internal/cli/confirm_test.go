//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestConfirmInterrupt: Ctrl-C at a question in the shell is no, and the shell
// goes on; outside it ends the command, without noise.
func TestConfirmInterrupt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	x := startTerminal(t, dir, nil)
	x.await("]> ")
	x.send(":remember tea at noon\r")
	x.await("remembered #1")
	x.await("]> ")
	x.send(":memory clear\r")
	x.await("forget all 1 item? [y/N] ")
	x.send("\x03")
	x.await("nothing was forgotten")
	x.await("]> ")
	x.send(":memory list\r")
	x.await("tea at noon")
	x.await("]> ")
	x.send(":memory clear\r")
	x.await("[y/N] ")
	x.send("y\r")
	x.await("cleared 1 item (undo: :undo 2)")
	x.await("]> ")
	x.send(":undo\r")
	x.await("undid #2")
	x.send("\x04")
	if code := x.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}

	x = startTerminal(t, dir, nil, "memory", "clear")
	x.await("[y/N] ")
	x.send("\x03")
	if code := x.exit(); code != 130 {
		t.Errorf("outside the shell: exit code %d", code)
	}
	x.mu.Lock()
	noise := string(x.output.Bytes()[x.seen:])
	x.mu.Unlock()
	if strings.Contains(noise, "error") {
		t.Errorf("outside the shell it said %q", noise)
	}
	text, err := os.ReadFile(filepath.Join(dir, "ken", "memory.jsonl"))
	if n := strings.Count(string(text), `"kind":"forget"`); err != nil || n != 1 {
		t.Errorf("%v, %d tombstones:\n%s", err, n, text)
	}
}
