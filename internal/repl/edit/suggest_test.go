//go:build linux || darwin

package edit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSuggested: the newest entry that begins like the line stands behind it; Right, End
// and Ctrl-F take it, a word of it Alt-F; nothing of it is entered, or left on the screen,
// that was not taken; an entry with a secret is not shown.
func TestSuggested(t *testing.T) {
	t.Parallel()
	text := "git stash\nshow me the secret of it\nshow me\ngit status --short\ntwo\\nlines\n" + strings.Repeat("wide ", 30) + "\n"
	begin := func(t *testing.T) *console {
		history := filepath.Join(t.TempDir(), "history") // each adds to its own
		if err := os.WriteFile(history, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c := open(t, "EDIT_SUGGEST=1", "EDIT_HISTORY="+history)
		c.AwaitRow(">")
		return c
	}
	for _, k := range []struct{ keys, row, entered string }{
		{"git s", "> git status --short", "git s"},
		{"git s\x1b[C", "> git status --short", "git status --short"},
		{"git sta\x06", "> git status --short", "git status --short"},
		{"git sta\x05", "> git status --short", "git status --short"},
		{"git sta\x1bOF", "> git status --short", "git status --short"},
		{"git sta\x1bf", "> git status --short", "git status"},
		{"git stas", "> git stash", "git stas"},
		{"show", "> show me", "show"},
		{"show me ", "> show me", "show me "},
		{"two", "> two", "two"},
		{"wide", "> wide", "wide"},
		{"none", "> none", "none"},
		{"git st\x02\x02", "> git st", "git st"}, // the cursor is inside
	} {
		t.Run(k.keys, func(t *testing.T) {
			t.Parallel()
			c := begin(t)
			c.Send(k.keys)
			c.AwaitRow(k.row)
			c.Send("\r")
			c.Await("=> \"" + k.entered + "\"\r\n")
			c.AwaitRow(">")
			if rows := c.Rows(); rows[0] != strings.TrimRight("> "+k.entered, " ") {
				t.Errorf("what was entered stands there as %q\n%q", rows, c.Text())
			}
		})
	}
	c := begin(t)
	c.Send("git s")
	c.AwaitRow("> git status --short")
	c.Send("\x03")
	c.Await("interrupted")
	c.AwaitRow(">")
	if rows := c.Rows(); rows[0] != "> git s" {
		t.Errorf("after Ctrl-C: %q", rows)
	}
}
