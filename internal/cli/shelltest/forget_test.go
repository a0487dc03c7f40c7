//go:build unix

package shelltest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// said writes a conversation of before.
func (p *typist) said(name string, turns ...string) {
	p.t.Helper()
	dir := filepath.Join(p.dir, "ken", "sessions")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		p.t.Fatal(err)
	}
	text := `{"meta":{"format":1,"session":"` + name + `","started":"2026-05-10T19:00:01Z","channel":"terminal"}}` + "\n"
	for _, turn := range turns {
		text += `{"ts":"2026-05-10T19:00:04Z","role":"user","content":"` + turn + `"}` + "\n"
	}
	if err := os.WriteFile(filepath.Join(dir, name+".jsonl"), []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

// TestR378Forgetting: a forgetting that was understood is answered by ken, with a model or
// without: what memories and conversations say is shown, asked about once and hidden by one
// line; nothing found is said. What is no forgetting, or may be none, is left to the model.
func TestR378Forgetting(t *testing.T) {
	t.Parallel()
	withAndWithout(t, func(p *typist) {
		p.said("s1", "Zebulon reviews all our schema changes", "the tide turns at noon", "Tom likes tea, will he come?")
		p.says("forget everything about Zebulon", "nothing is remembered about Zebulon; 1 turn in 1 conversation mentions it",
			"s1:1", "forget the 1 turn? [y] yes  [N] no > ", "n", "nothing was forgotten")
		p.says("forget Zebulon", "forget the 1 turn? [y] yes  [N] no > ", "y", "forgot 1 turn (undo: :undo 1)")
		p.says("forget everything about Zebulon", "nothing is remembered about Zebulon, and no conversation mentions it")
		p.says(":undo", "undid #1 (forget 1 turn)")
		p.says("forget everything you know about Zebulon", "1 turn in 1 conversation", "forget the 1 turn? [y] yes  [N] no > ", "y", "forgot 1 turn")
		p.says(":remember Tom reviews our schema changes", "remembered #4")
		p.says(":remember --supersedes 4 Aisha reviews our schema changes", "remembered #5")
		p.says("forget everything about Tom", "[4] Tom reviews our schema changes", "(was replaced)",
			"besides, 1 turn in 1 conversation mentions it",
			"forget which? (numbers; all: with the 1 turn; said: only these; Enter: none) ")
		p.shell.Send("all\r")
		p.shell.Await("forgot 1 item and 1 turn (undo: :undo 6)")
		p.says(":memory list", "Aisha")
		for _, line := range []string{"forget it", "don't forget to call Anna", "forget about it for now"} {
			p.shell.Await("]> ")
			p.shell.Send(line + "\r")
		}
		p.says("forget Will", "[ken] nothing is remembered about Will, and no conversation mentions it")
		p.leaves()
		if log := p.kept(); strings.Count(log, `"kind":"forget"`) != 3 || strings.Contains(log, `"turns":["s1:2"`) {
			p.t.Errorf("the memory:\n%s", log)
		}
		if p.model == nil {
			return
		}
		for _, r := range p.model.Requests() {
			if body := string(r.Body); strings.Contains(body, "Zebulon") || strings.Contains(body, "everything about") {
				p.t.Errorf("the model was asked: %s", body)
			}
		}
	})
}

// TestR378SmallNames: a name that is a small word as well is found where a memory or a turn begins with it, and shown; the small
// word itself never is.
func TestR378SmallNames(t *testing.T) {
	t.Parallel()
	withAndWithout(t, func(p *typist) {
		p.said("s1", "May has the key to the lab", "it may rain at noon")
		p.says(":remember Will does the pen test for kestrel", "remembered #1")
		p.says(":remember releases will freeze in november", "remembered #2")
		p.says(":remember May runs the desk", "remembered #3")
		for _, line := range []string{":forget Will", "forget Will", `forget "Will"`, "forget everything about Will"} {
			p.says(line, "[1] Will does the pen test", "forget it? [y] yes  [N] no > ", "n", "nothing was forgotten")
		}
		p.says("forget Will", "[1] Will does the pen test", "forget it? [y] yes  [N] no > ", "y", "forgot #1")
		p.says(":forget Will", `nothing matches "Will"`)
		p.says("forget everything about May", "[3] May runs the desk", "besides, 1 turn in 1 conversation mentions it", "s1:1",
			"forget which? (numbers; all: with the 1 turn; said: only these; Enter: none) ")
		p.shell.Send("all\r")
		p.shell.Await("forgot 1 item and 1 turn")
		p.says("forget everything about May", "nothing is remembered about May, and no conversation mentions it")
		p.says(":memory list", "releases will freeze")
		p.leaves()
	})
}

// TestR380Project: all of a project is its scopes, whatever they are called by, and what names it
// elsewhere is shown apart.
func TestR380Project(t *testing.T) {
	t.Parallel()
	withAndWithout(t, func(p *typist) {
		p.says(":remember --scope repo:example.org/me/tea deploy with make ship", "remembered #1")
		p.says(":remember --scope dir:/nosuch/tea we use tabs", "remembered #2")
		p.says(":remember tea deploys to kettle", "remembered #3")
		p.says("forget everything about project tea", "[ken] all of repo:tea and dir:/nosuch/tea",
			"#1: deploy with make ship", "#2: we use tabs",
			"elsewhere, what says tea:", "#3: tea deploys to kettle (user)",
			"forget which? (project; all: also what stands elsewhere; Enter: none) ")
		p.shell.Send("project\r")
		p.shell.Await("forgot 2 items (undo: :undo 4)")
		p.says(":undo", "undid #4")
		p.says("forget everything about tea", "[3] tea deploys to kettle", "forget it? [y] yes  [N] no > ", "n", "nothing was forgotten")
		p.says("forget everything about project the", "nothing is remembered about")
	})
}

// TestMaskedIsNotSuggested: a statement in which a secret was masked is nothing to keep without it.
func TestMaskedIsNotSuggested(t *testing.T) {
	t.Parallel()
	withAndWithout(t, func(p *typist) {
		p.says("the staging database password is hunter2Xq9", "hunter2Xq9")
		p.says(":review list", "(nothing waits)")
	})
}
