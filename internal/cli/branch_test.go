package cli

import (
	"fmt"
	"maps"
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
	for _, args := range [][]string{{"mcp"}, {"mcp", "--as", "claude"}, {"serve", "--page"}, {"telegram"}, {"acp"}} {
		testServed(t, p, args)
	}
	p.shell = chat.NewREPL(p.app, p.upkeep, p) // the same commands serve it
	testBranch(t, p)
}

// testServed wants a branch for what another program starts, with the same words below it as the whole tree has, which
// refuse the same words.
func testServed(t *testing.T, p *program, args []string) {
	t.Helper()
	branch := p.branch(args)
	if branch == nil {
		t.Fatalf("%q: no branch", args)
	}
	got, _, err := branch.Find(args[:1])
	want, _, wanted := p.Root().Find(args[:1])
	if err != nil || wanted != nil || got.UsageString() != want.UsageString() {
		t.Errorf("%q: %v, %v\n%s\nwant:\n%s", args, err, wanted, got.UsageString(), want.UsageString())
	}
	if got, want := fmt.Sprint(got.ValidateArgs([]string{"lisst"})), fmt.Sprint(want.ValidateArgs([]string{"lisst"})); got != want {
		t.Errorf("%s lisst: %s\nwant: %s", args[0], got, want)
	}
	if !maps.Equal(got.Annotations, want.Annotations) {
		t.Errorf("%q: %v, want %v", args, got.Annotations, want.Annotations)
	}
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
	for _, args := range [][]string{
		nil,
		{"memory"},
		{"recal"},
		{"recall", "-h"},
		{"--help"},
		{"help"},
		{"-q", "recall", "tea"},
		{"__complete", "re"},
		{"mcp", "list"},
		{"serve", "token"},
	} {
		if p.branch(args) != nil {
			t.Errorf("%q: a branch alone", args)
		}
	}
}
