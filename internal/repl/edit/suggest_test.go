//go:build linux || darwin

package edit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ken/internal/typed"
)

// TestBegun: the newest entry that begins like the text is found, one of this directory first, whatever was looked for
// before it: one that grows, one that shrinks, one after entries came and went; of several
// lines, too long or not to be shown is none; and whether one may be shown is asked once.
func TestBegun(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		h, asked := &History{}, map[string]int{}
		may := func(entry string) bool { asked[entry]++; return !strings.HasSuffix(entry, "c") }
		var b begun
		add := func() {
			end := rapid.SampledFrom([]string{"", "", "", "c", "\nb", strings.Repeat("x", 5000)}).Draw(t, "end")
			_ = h.Add(rapid.StringMatching(`[ab]{0,6}`).Draw(t, "entry")+end, false)
		}
		for range 8 {
			add()
		}
		text := ""
		for range 30 {
			switch rapid.IntRange(-1, 9).Draw(t, "what") {
			case -1:
				h.Stand(typed.Where{Dir: rapid.SampledFrom([]string{"", "~/a", "~/b"}).Draw(t, "dir")})
			case 0:
				add()
			case 1:
				gone := rapid.StringMatching(`[ab]{2,4}`).Draw(t, "gone")
				h.Drop(func(entry string) bool { return strings.Contains(entry, gone) })
			case 2, 3:
				text = text[:max(0, len(text)-rapid.IntRange(1, 4).Draw(t, "n"))]
			default:
				text += rapid.StringMatching(`[ab]`).Draw(t, "key")
			}
			if text == "" {
				continue
			}
			want := ""
			for _, entry := range h.Entries() {
				if strings.HasPrefix(entry, text) && len(entry) > len(text) && len(entry) < 5000 && !strings.ContainsAny(entry, "\nc") {
					want = entry
				}
			}
			for i, entry := range h.Entries() {
				if h.here.Dir != "" && h.at[i].Dir == h.here.Dir && strings.HasPrefix(entry, text) &&
					len(entry) > len(text) && len(entry) < 5000 && !strings.ContainsAny(entry, "\nc") {
					want = entry
				}
			}
			if got := b.find(h, text, may); got != want {
				t.Fatalf("%q goes on with %q, want %q of %q", text, got, want, h.Entries())
			}
			clear(asked)
			if got := b.find(h, text, may); got != want || len(asked) > 0 {
				t.Fatalf("%q again: %q, asked about %v", text, got, asked)
			}
		}
	})
}

// TestSuggestedPaste: while a block is pasted nothing is suggested, and again when it is there;
// what comes all at once without marks is taken for pasted until the next key.
func TestSuggestedPaste(t *testing.T) {
	t.Parallel()
	history := filepath.Join(t.TempDir(), "history")
	long := strings.Repeat("long ", 8)
	if err := os.WriteFile(history, []byte("git status --short\n"+long+"more\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := open(t, "EDIT_SUGGEST=1", "EDIT_HISTORY="+history)
	c.AwaitRow(">")
	c.Send("git \x1b[200~sta")
	c.AwaitRow("> git")
	c.Send("\x1b[201~")
	c.AwaitRow("> git status --short")
	c.Send("\x15" + long[:len(long)-1])
	c.AwaitRow("> " + long[:len(long)-1])
	c.Send(" ")
	c.AwaitRow("> " + long + "more")
}

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
