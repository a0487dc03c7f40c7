package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/config"
)

// TestFiles: each file that ken keeps is of one kind, by its name and place.
func TestFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, p, err := config.Open(func(name string) string { return map[string]string{"KEN_HOME": dir}[name] }, dir, "")
	if err != nil {
		t.Fatal(err)
	}
	for name, what := range map[string]string{
		"config.toml": "settings", "policies/a.toml": "policies", "commands/a.md": "commands of the person's own",
		"memory.jsonl": "memory", "peers/phone-7f3a.jsonl": "replica",
		"sessions/s1.jsonl": "conversation", "sessions/import/a.jsonl": "imported conversation", "run/shell.12": "what a shell last ran",
		"run/s1": "locks of what runs", "run/part.s1": "what has come of an answer", "skills/drafts/a/SKILL.md": "drafts of skills",
		"skills/a/SKILL.md": "skills", "cache/places/x": "what is known of repositories",
		"cache/index/0123/segment": "index", "cache/fold": "other derived files", ".lock": "lock", "peers/.lock": "lock",
		"note.txt": "", "sessions/a/b.jsonl": "", "sessions/note.md": "", "memory.jsonl.bak": "", "..": "", "../x": "",
	} {
		f, ok := config.Find(p.Files(), filepath.Join(dir, name))
		if f.What != what || ok != (what != "") {
			t.Errorf("%s is %q, want %q", name, f.What, what)
		}
	}
	for _, f := range p.Files() {
		if f.What == "" || f.By == "" || !filepath.IsAbs(f.Path) || f.Text && f.Lock == "" {
			t.Errorf("%+v says too little", f)
		}
		at := f.Path
		if f.Names == "" {
			if found, _ := config.Find(p.Files(), at); found != f {
				t.Errorf("%s is of the kind %q, which stands before it", at, found.What)
			}
		}
	}
}

// TestFilesPage: the page of files has a row for each file that a person can find.
func TestFilesPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "files.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, p, err := config.Open(func(string) string { return "" }, t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range p.Files() {
		if strings.HasPrefix(f.Path, p.Cache) {
			continue // what is derived is one row
		}
		name := filepath.Base(f.Path)
		if f.Names == ".lock" {
			name = f.Names
		} else if f.Names != "" {
			name += "/"
		}
		if !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("docs/files.md does not have %s: %s", name, f.What)
		}
	}
}
