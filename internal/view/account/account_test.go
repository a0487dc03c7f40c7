package account_test

import (
	"strings"
	"testing"

	"ken/internal/session"
	"ken/internal/view/account"
)

// TestO4Stays: what an account says is taken back is what is taken back; what commands and tools of servers may have
// done is named, and what only read, was refused or skipped is not.
func TestO4Stays(t *testing.T) {
	t.Parallel()
	const (
		began = `{"ts":"2026-03-10T09:12:00Z","event":"auto","run":"r1","state":"begun","goal":"make it"}` + "\n"
		edit  = `{"event":"act","id":"e","run":"r1","tool":"edit_file","what":"edit a.txt","risk":"caution","state":"begun"}
{"event":"act","id":"a1","tool":"edit_file","path":"/p/a.txt","before":"1","after":"2","who":"fast","run":"r1"}
{"ts":"2026-03-10T09:12:01Z","event":"act","id":"e","run":"r1","state":"done","outcome":"done"}
`
	)
	act := func(id, tool, what, risk, state string) string {
		return `{"event":"act","run":"r1","id":"` + id + `","tool":"` + tool + `","what":"` + what + `","risk":"` + risk + `","state":"` + state +
			`"}` + "\n"
	}
	for name, c := range map[string]struct {
		lines string
		want  string
	}{
		"edits alone": {edit + act("b", "shell", "$ ls", "safe", "begun"), "  takes back the 1 edit: :undo a1"},
		"and a command": {
			edit + act("b", "shell", "$ touch b", "caution", "begun"),
			"  takes back the 1 edit: :undo a1\n  what `touch b` did stays",
		},
		"and many": {
			edit + act("b", "shell", "$ 1", "caution", "begun") + act("c", "shell", "$ 2", "danger", "begun") +
				act("d", "x__y", "y of x", "caution", "begun") + act("f", "shell", "$ 3", "caution", "begun") +
				act("g", "shell", "$ 3", "caution", "begun"),
			"  takes back the 1 edit: :undo a1\n  what `1`, `2`, `y of x` and 1 more did stays",
		},
		"not done": {
			edit + act("b", "shell", "$ 1", "caution", "refused") + act("c", "shell", "$ 2", "danger", "skipped"),
			"  takes back the 1 edit: :undo a1",
		},
		"nothing to take back": {act("b", "shell", "$ touch b", "caution", "begun"), ""},
	} {
		tr, err := session.Read(strings.NewReader(`{"meta":{"format":1,"session":"s","created":"2026-03-10T09:00:00Z"}}`+"\n"+began+c.lines), "s")
		if err != nil {
			t.Fatal(err)
		}
		text := account.Of(tr)[0].Text(func(cmd string) string { return ":" + cmd })
		_, got, _ := strings.Cut(text, "0 tokens\n")
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
