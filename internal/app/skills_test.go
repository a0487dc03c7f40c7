package app_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"ken/internal/app"
)

// TestSkillsSeen: a question looks for skills once, and what asks again meanwhile is told what was seen then; the next question looks
// again, also where no text of a skill may go along.
func TestSkillsSeen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := app.Open(app.Options{
		Local:  []string{},
		Now:    time.Now,
		Getenv: func(name string) string { return map[string]string{"KEN_HOME": dir, "HOME": dir}[name] },
	}).View(app.Standing{Dir: dir})
	if _, err := h.Settings.Read(); err != nil {
		t.Fatal(err)
	}
	own := filepath.Join(dir, "skills", "release")
	if err := os.MkdirAll(own, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(own, "SKILL.md"), []byte("---\nname: release\ndescription: d\n---\nbody\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if n := len(h.Skills.Seen()); n != 1 {
		t.Fatalf("%d skills are seen without a look before", n)
	}
	if err := os.RemoveAll(own); err != nil {
		t.Fatal(err)
	}
	if n := len(h.Skills.Seen()); n != 1 {
		t.Errorf("%d skills are seen in the same question", n)
	}
	h.Skills.For("how?", nil, 0, 0)
	if n := len(h.Skills.Seen()); n != 0 {
		t.Errorf("%d skills are seen in the next question", n)
	}
}
