//go:build unix

package shelltest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/cli/clitest"
)

// TestR368AsksFirst: in a shell on a terminal the first sweep that would put away more
// than a handful asks; no leaves all as it is and says how to begin, yes begins.
func TestR368AsksFirst(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	log := filepath.Join(dir, "ken", "memory.jsonl")
	var b strings.Builder
	for i := 1; i <= 60; i++ {
		fmt.Fprintf(&b, `{"id":%d,"ts":"2026-02-01T00:00:00Z","content":"box %d is on the shelf","scope":"dir:/x/%d"}`+"\n", i, i, i%2)
	}
	if err := os.MkdirAll(filepath.Dir(log), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(log, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		answer, says string
		code         int
		moved        bool
	}{
		{"n\r", "waits for you", 0, false},
		{"\x03", "waits for you", 130, false},
		{"y\r", "archived 10 memories", 0, true},
	} {
		x := clitest.StartEnv(t, dir, []string{"KEN_NOW=2026-02-02T09:00:00Z"})
		x.Await("]> ")
		x.Send("\x04")
		x.Await("for the first time? [y] yes  [N] no > ")
		x.Send(c.answer)
		x.Await(c.says)
		if code := x.Exit(); code != c.code {
			t.Errorf("%q: exit code %d", c.answer, code)
		}
		text, err := os.ReadFile(log)
		if moved := strings.Contains(string(text), `"kind":"tier"`); err != nil || moved != c.moved {
			t.Errorf("%q: moved %v, %v", c.answer, moved, err)
		}
	}
}
