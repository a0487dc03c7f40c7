//go:build linux || darwin

package edit

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ken/internal/typed"
)

// TestE11dByDirectory: a search of the history looks through what was typed in this
// directory first; Tab goes on to this repository and to everything, and says so; what has
// nothing is passed over, and what is typed before and after it counts in each.
func TestE11dByDirectory(t *testing.T) {
	t.Parallel()
	tea, sub := typed.Where{Dir: "~/tea", Scope: "repo:tea"}, typed.Where{Dir: "~/tea/sub", Scope: "repo:tea"}
	var file []byte
	for _, e := range []struct {
		text string
		at   typed.Where
	}{
		{"brew of old", typed.Where{}},
		{"brew first", tea},
		{"brew here", tea},
		{"brew below", sub},
		{"brew there", typed.Where{Dir: "~/other"}},
	} {
		file = typed.Append(file, e.text, e.at)
	}
	const (
		dir  = "history: this directory (Tab: this repository): "
		repo = "history: this repository (Tab: everywhere): "
		all  = "history: everywhere (Tab: this directory): "
	)
	for _, tc := range []struct {
		dir, scope, keys, says, want string
	}{
		{"~/tea", "repo:tea", "\x12brew", dir + "brew_", "brew here"},
		{"~/tea", "repo:tea", "\x12brew\x12", dir + "brew_", "brew first"},
		{"~/tea", "repo:tea", "\x12brew\t", repo + "brew_", "brew below"},
		{"~/tea", "repo:tea", "\x12brew\t\x12", repo + "brew_", "brew here"},
		{"~/tea", "repo:tea", "\x12\tbrew", repo + "brew_", "brew below"},
		{"~/tea", "repo:tea", "\x12brew\x12\t", repo + "brew_", "brew below"},
		{"~/tea", "repo:tea", "\x12brew\t\t", all + "brew_", "brew there"},
		{"~/tea", "repo:tea", "\x12brew\t\t of", all + "brew of_", "brew of old"},
		{"~/tea", "repo:tea", "\x12brew\t\t\t", dir + "brew_", "brew here"},
		{"~/tea", "repo:tea", "\x12of old", "history: this directory (Tab: this repository) (no matches): of old_", ""},
		{"~/tea", "repo:tea", "\x12of old\t\t", all + "of old_", "brew of old"},
		{"~/other", "", "\x12brew", "history: this directory (Tab: everywhere): brew_", "brew there"},
		{"~/tea/new", "repo:tea", "\x12brew", "history: this repository (Tab: everywhere): brew_", "brew below"},
		{"~/new", "repo:new", "\x12brew", "history: everywhere: brew_", "brew there"},
		{"", "", "\x12brew\t", "history: everywhere: brew_", "brew there"},
	} {
		t.Run(tc.dir+tc.keys, func(t *testing.T) {
			t.Parallel()
			history := filepath.Join(t.TempDir(), "history")
			if err := os.WriteFile(history, file, 0o600); err != nil {
				t.Fatal(err)
			}
			c := openWide(t, "EDIT_HISTORY="+history, "EDIT_DIR="+tc.dir, "EDIT_SCOPE="+tc.scope)
			c.AwaitRow(">")
			c.Send(tc.keys)
			c.Holds(tc.says)
			c.AwaitRow(strings.TrimSpace("> " + tc.want))
			if rows := c.Rows(); !slices.Contains(rows, tc.says) {
				t.Errorf("the search says %q, want %q", rows, tc.says)
			}
			if tc.want != "" {
				c.enter("", `"`+tc.want+`"`)
			}
		})
	}
}

// TestE11dWhere: what is entered is kept with where it was typed, and an entry again where
// it was typed elsewhere; Up goes through all of it, also after a search.
func TestE11dWhere(t *testing.T) {
	t.Parallel()
	history := filepath.Join(t.TempDir(), "history")
	c := openWide(t, "EDIT_HISTORY="+history, "EDIT_DIR=~/a")
	c.AwaitRow(">")
	for _, line := range []string{"one", "one", "cd ~/b", "one", "two"} {
		c.enter(line, `"`+line+`"`)
	}
	c.Send("\x12cd")
	c.AwaitRow(">") // nothing of it in this directory
	c.Send("\x07\x1b[A\x1b[A\x1b[A")
	c.AwaitRow("> cd ~/b")
	c.Send("\x15\x04")
	c.Exit()
	a, b := "\x1b]ken;{\"dir\":\"~/a\"}\a\n", "\x1b]ken;{\"dir\":\"~/b\"}\a\n"
	if text, err := os.ReadFile(history); err != nil || string(text) != a+"one\n"+a+"cd ~/b\n"+b+"one\n"+b+"two\n" {
		t.Errorf("%v, the file is %q", err, text)
	}
}

// TestB13DraftKept: Up at the top of a message of several lines goes to the history, and
// Down at its end comes back to the message as it was.
func TestB13DraftKept(t *testing.T) {
	t.Parallel()
	c := open(t)
	c.AwaitRow(">")
	c.enter("before", `"before"`)
	c.enter("a message\nof three\nlines", `"a message\nof three\nlines"`)
	c.enter("after", `"after"`)
	c.Send("draft one\ndraft two\x1b[A\x1b[A")
	c.AwaitRow("> after")
	c.Send("\x1b[A\x1b[A\x1b[A") // inside the message of three, from its last line to its first
	c.AwaitRow("> a message")
	c.Send("\x1b[A")
	c.AwaitRow("> before")
	c.Send("\x1b[B\x1b[B\x1b[B\x1b[B\x1b[B")
	c.enter("!", `"draft one\ndraft two!"`)
}

// TestE34SearchLeft: a search of the history that is left with Ctrl-G, Esc or Ctrl-C gives back the
// line as it was, with the cursor where it was, whatever was found; a key that goes to
// another place takes what was found, as Alt with a letter.
func TestE34SearchLeft(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ search, found, leave, want string }{
		{"brew", "> brew two", "\x07", `"a dr-aft"`},
		{"brew\x12", "> brew one", "\x07", `"a dr-aft"`},
		{"brew", "> brew two", "\x1b", `"a dr-aft"`},
		{"brew\x12", "> brew one", "\x03", `"a dr-aft"`},
		{"nothing", ">", "\x1b", `"a dr-aft"`},
		{"brew", "> brew two", "\x1bb", `"brew two-"`},
	} {
		t.Run(tc.search+tc.leave, func(t *testing.T) {
			t.Parallel()
			history := filepath.Join(t.TempDir(), "history")
			if err := os.WriteFile(history, []byte("brew one\nbrew two\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			c := openWide(t, "EDIT_HISTORY="+history)
			c.AwaitRow(">")
			c.Send("a draft\x02\x02\x02")
			c.AwaitRow("> a draft")
			c.Send("\x12" + tc.search)
			c.AwaitRow(tc.found)
			c.Send(tc.leave)
			c.AwaitRow(strings.Replace("> "+strings.Trim(tc.want, `"`), "-", "", 1))
			c.enter("-", tc.want)
		})
	}
}

// TestE34SearchLetters: letters beyond ASCII narrow a search as others do.
func TestE34SearchLetters(t *testing.T) {
	t.Parallel()
	file := []byte("brühe heiß\nein 日本 wort\nein 日曜 wort\nbrew one\nbrütal\n日記 neu\nbrav\n")
	for _, tc := range []struct{ typed, says, want string }{
		{"brüh", "brüh_", "brühe heiß"},
		{"brü", "brü_", "brütal"},
		{"日本", "日本_", "ein 日本 wort"},
		{"n 日曜 w", "n 日曜 w_", "ein 日曜 wort"},
		{"heiß\x7fß", "heiß_", "brühe heiß"},
	} {
		for _, piece := range []string{"", tc.typed} { // each alone, and all at once
			t.Run(tc.typed+piece, func(t *testing.T) {
				t.Parallel()
				history := filepath.Join(t.TempDir(), "history")
				if err := os.WriteFile(history, file, 0o600); err != nil {
					t.Fatal(err)
				}
				c := openWide(t, "EDIT_HISTORY="+history)
				c.AwaitRow(">")
				c.Send("\x12")
				for _, keys := range strings.Split(tc.typed, piece) {
					c.Send(keys)
				}
				if piece != "" {
					c.Send(piece)
				}
				c.Holds(tc.says)
				c.AwaitRow("> " + tc.want)
				c.enter("", `"`+tc.want+`"`)
			})
		}
	}
}

// TestE34MenuInterrupted: Ctrl-C drops the line also while a menu is open, and leaves nothing behind it.
func TestE34MenuInterrupted(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ keys, open, left string }{
		{"x al\t", "> x alp", "> x alp"},
		{"x al\t\t", "> x alpha", "> x alp"},
		{"x al\t\t\t", "> x alpine", "> x alp"},
		{"plain", "> plain", "> plain"},
	} {
		t.Run(tc.keys, func(t *testing.T) {
			t.Parallel()
			c := openWide(t)
			c.AwaitRow(">")
			c.Send(tc.keys)
			c.AwaitRow(tc.open)
			c.Send("\x03")
			c.Await("=> error interrupted")
			c.AwaitRow(">")
			if rows := c.Rows(); !slices.Equal(rows, []string{tc.left, "=> error interrupted", ">"}) {
				t.Errorf("the screen is %q", rows)
			}
			c.enter("new", `"new"`)
		})
	}
}
