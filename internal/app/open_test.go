package app

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// openView is a memory of a person of the test's own, with settings and an environment of
// names and values.
func openView(t *testing.T, settings string, env ...string) *View {
	t.Helper()
	home := t.TempDir()
	if settings != "" {
		if err := os.WriteFile(filepath.Join(home, "config.toml"), []byte(settings), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return Open(Options{
		Local: []string{},
		Now:   func() time.Time { return time.Date(2026, 5, 10, 12, 0, 0, 0, time.UTC) },
		Getenv: func(name string) string {
			for i := 0; i < len(env); i += 2 {
				if env[i] == name {
					return env[i+1]
				}
			}
			return map[string]string{"KEN_HOME": home, "HOME": home}[name]
		},
	}).View(Standing{Dir: home})
}
