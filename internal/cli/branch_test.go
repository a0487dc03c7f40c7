package cli

import (
	"testing"

	"ken/internal/cli/chat"
	"ken/internal/cli/term"
)

// TestBranch: a command of a branch is the one that the whole tree has, and what
// needs the whole tree gets it.
func TestBranch(t *testing.T) {
	t.Parallel()
	p := &program{app: term.New(Env{})}
	testBranch(t, p)
	p.shell = chat.NewREPL(p.app, p.upkeep, p) // the same commands serve it
	testBranch(t, p)
}

func testBranch(t *testing.T, p *program) {
	t.Helper()
	for _, name := range []string{"ask", "recall", "why", "why-not", "redact", "clean", "remember", "forget", "undo"} {
		branch := p.branch([]string{name, "word"})
		if branch == nil {
			t.Errorf("%s: no branch", name)
			continue
		}
		got, rest, err := branch.Find([]string{name, "word"})
		want, _, wanted := p.Root().Find([]string{name, "word"})
		if err != nil || wanted != nil || got.Name() != name || len(rest) != 1 {
			t.Errorf("%s: %v, %v, %v", name, got.Name(), err, wanted)
		}
		if got.UsageString() != want.UsageString() || got.HasSubCommands() {
			t.Errorf("%s:\n%s\nwant:\n%s", name, got.UsageString(), want.UsageString())
		}
	}
	for _, args := range [][]string{nil, {"memory"}, {"recal"}, {"recall", "-h"}, {"--help"}, {"help"}, {"-q", "recall", "tea"}, {"__complete", "re"}} {
		if p.branch(args) != nil {
			t.Errorf("%q: a branch alone", args)
		}
	}
}
