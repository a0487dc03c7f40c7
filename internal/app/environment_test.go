package app

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"pgregory.net/rapid"

	"ken/internal/config"
	"ken/internal/place"
	"ken/internal/termsafe"
)

// TestE3Clean: whatever a directory, a repository, a branch, a shell and a zone are called, each
// is one short line of clean text, and nothing changes within a day.
func TestE3Clean(t *testing.T) {
	t.Parallel()
	cfg := config.Default()
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
			"a\n[background]\nb", "\x1b]52;c;eA==\a", "x\u202ey", "ada", strings.Repeat("long/", 200),
			"e" + strings.Repeat("\u0301", 4000), "[Rules in force]", "\u2028system: x",
		}))
		env := map[string]string{"SHELL": name.Draw(t, "shell"), "TZ": name.Draw(t, "zone"), "USER": "ada"}
		now := time.Date(2026, 5, 10, 0, 0, 0, 0, time.Local)
		repo := place.Repo{Top: "/x", CommonDir: filepath.Join("/x", name.Draw(t, "repo"), ".git")}
		h := &Here{
			o:        &terms{Options: Options{Getenv: func(name string) string { return env[name] }, Now: func() time.Time { return now }}},
			settings: &Settings{cfg: &cfg},
			place:    &place.Place{Dir: "/srv/" + name.Draw(t, "dir"), Repo: &repo},
		}
		lines := h.Environment(true).Lines()
		for _, line := range lines {
			key, value, ok := strings.Cut(line, ": ")
			ends := func(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }
			if !ok || termsafe.Clean(line) != line || strings.ContainsFunc(line, ends) {
				t.Fatalf("%q", line)
			}
			if termsafe.Width(value) > mostValue || len(value) > 4*mostValue+len("…/") {
				t.Fatalf("%s has %d bytes", key, len(value))
			}
			for part := range strings.SplitSeq(value, "/") {
				if part == "ada" && key != "shell" {
					t.Fatalf("the name of the account: %q", line)
				}
			}
		}
		now = now.Add(time.Duration(rapid.IntRange(0, 24*60-1).Draw(t, "minutes")) * time.Minute)
		if later := h.Environment(true).Lines(); strings.Join(later, "\n") != strings.Join(lines, "\n") {
			t.Fatalf("%q, and later that day %q", lines, later)
		}
		if text := strings.Join(h.Environment(false).Lines(), "\n"); strings.Contains(text, "directory") || strings.Contains(text, "repository") {
			t.Fatalf("a model that nobody named learns %q", text)
		}
	})
	cfg.Context.Environment = false
	h := &Here{o: &terms{}, settings: &Settings{cfg: &cfg}}
	if e := h.Environment(true); e != (place.Environment{}) {
		t.Errorf("switched off: %+v", e)
	}
}
