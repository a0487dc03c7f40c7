package cli

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/cli/chat"
	"ken/internal/cli/term"
	"ken/internal/engine"
)

func TestCompletionWords(t *testing.T) {
	home := t.TempDir()
	config := "[models.deep]\nbase_url = \"http://127.0.0.1:1/v1\"\nmodel = \"big\"\n[models.fast]\nbase_url = \"http://127.0.0.1:1/v1\"\nmodel = \"small\"\n"
	if err := os.WriteFile(filepath.Join(home, "config.toml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	a := words{term.New(Env{
		Getenv: func(name string) string { return map[string]string{"KEN_HOME": home}[name] },
		Dir:    home, Now: func() time.Time { return time.Date(2026, 5, 10, 12, 0, 0, 0, time.UTC) },
	})}
	if got := a.refs(t.Context(), ""); got != nil {
		t.Errorf("references without a memory: %v", got)
	}
	e, err := a.run.Home.Memory.Writer()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"the first", "the\x1b[2J second"} {
		if _, err := e.Remember(t.Context(), engine.Draft{Content: text}); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]word{{"2", "the second"}, {"1", "the first"}}, a.refs(t.Context(), ""), cmp.AllowUnexported(word{})); diff != "" {
		t.Errorf("references (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]word{{"deep", "big"}, {"fast", "small"}}, a.presets(), cmp.AllowUnexported(word{})); diff != "" {
		t.Errorf("presets (-want +got):\n%s", diff)
	}
	if got := a.sessions(t.Context()); got != nil {
		t.Errorf("sessions where there are none: %v", got)
	}
}

func TestOperand(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		use  string
		want []string // of the places 0, 1, 2
	}{
		{"list", []string{"", "", ""}},
		{"show REF", []string{"REF", "", ""}},
		{"pin REF...", []string{"REF", "REF", "REF"}},
		{"undo [LINE...]", []string{"LINE", "LINE", "LINE"}},
		{"edit REF [TEXT]", []string{"REF", "TEXT", ""}},
		{"add [flags] KIND TEXT", []string{"KIND", "TEXT", ""}},
		{"forget REF...|TEXT", []string{"REF...|TEXT", "REF...|TEXT", "REF...|TEXT"}},
		{"import --format turns FILE", []string{"FILE", "", ""}},
		{"x [--yes] FILE", []string{"FILE", "", ""}},
		{"completion bash|zsh", []string{"bash|zsh", "", ""}},
	} {
		got := []string{operandName(c.use, 0), operandName(c.use, 1), operandName(c.use, 2)}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.use, diff)
		}
	}
}

// TestB9Complete: in the shell as outside, an import completes files, and a setting its key.
func TestB9Complete(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	for _, dir := range []string{"skills", "skills/drafts/steep"} {
		if err := os.MkdirAll(filepath.Join(home, filepath.FromSlash(dir)), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"CLAUDE.md", "other.md", "skills/brew.md", "skills/drafts/steep/SKILL.md"} {
		if err := os.WriteFile(filepath.Join(home, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := &program{app: term.New(Env{
		Getenv: func(name string) string { return map[string]string{"KEN_HOME": home, "HOME": home, "PATH": ""}[name] },
		Dir:    home, Now: time.Now, Local: []string{},
	})}
	p.shell = chat.NewREPL(p.app, p.upkeep, p)
	for line, want := range map[string]string{
		":import CLA": "CLAUDE.md ", ":import --dry-run o": "other.md ", ":config set ui.qu": "ui.quiet ", ":config set ui.quiet t": "true ",
		":config show memory.en": "memory.enabled ", ":help mem": "memory ", ":help memory tid": "tidy ", ":why --no": "--not ",
		":forget --for": "--for-good ", ":skill br": "brew ", ":skills show br": "brew ", ":skills promote st": "steep ",
	} {
		c := p.Complete(t.Context(), line)
		var got []string
		for _, w := range c.Words {
			got = append(got, w.Text)
		}
		if len(got) != 1 && line != ":why --no" || !slices.Contains(got, want) {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
