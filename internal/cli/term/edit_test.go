//go:build unix

package term

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"ken/internal/repl"
)

// TestEditText: the editor gets the text in a file, and what it leaves counts;
// an editor that fails changes nothing.
func TestEditText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		visual, editor string
		want           string
		fails          bool
	}{
		{editor: `sed -i.bak s/tea/coffee/`, want: "coffee\nat noon"},
		{visual: "true", editor: "false", want: "tea\nat noon"},
		{visual: `f() { printf '\n' >"$1"; }; f`, want: ""},
		{editor: "false", fails: true},
		{editor: "rm", fails: true},
		{editor: "/no/such/editor", fails: true},
	} {
		r := newRun(t, "", "VISUAL", c.visual, "EDITOR", c.editor)
		tty, err := os.Open(os.DevNull)
		if err != nil {
			t.Fatal(err)
		}
		defer tty.Close()
		r.Env.Stdin, r.Env.Stdout, r.Env.Stderr = tty, new(bytes.Buffer), new(bytes.Buffer)
		r.Shell = &inShell{term: repl.Terminal{Asks: true}}
		got, err := r.Person.EditText(t.Context(), "tea\nat noon")
		if left, err := os.ReadDir(filepath.Join(r.Env.Getenv("KEN_HOME"), "drafts")); err != nil || len(left) > 0 {
			t.Errorf("%q, %q: left: %v, %v", c.visual, c.editor, left, err)
		}
		if got != c.want || (err != nil) != c.fails {
			t.Errorf("%q, %q: %q, %v", c.visual, c.editor, got, err)
		}
	}
}
