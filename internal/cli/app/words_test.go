package app

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/engine"
)

func TestCompletionWords(t *testing.T) {
	home := t.TempDir()
	config := "[models.deep]\nbase_url = \"http://127.0.0.1:1/v1\"\nmodel = \"big\"\n[models.fast]\nbase_url = \"http://127.0.0.1:1/v1\"\nmodel = \"small\"\n"
	if err := os.WriteFile(filepath.Join(home, "config.toml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	a := New(Env{
		Getenv: func(name string) string { return map[string]string{"KEN_HOME": home}[name] },
		Dir:    home, Now: func() time.Time { return time.Date(2026, 5, 10, 12, 0, 0, 0, time.UTC) },
	})
	if got := a.CompleteRefs(t.Context()); got != nil {
		t.Errorf("references without a memory: %v", got)
	}
	e, err := a.Memory()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"the first", "the\x1b[2J second"} {
		if _, err := e.Remember(t.Context(), engine.Draft{Content: text}); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]Word{{"2", "the second"}, {"1", "the first"}}, a.CompleteRefs(t.Context())); diff != "" {
		t.Errorf("references (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Word{{"deep", "big"}, {"fast", "small"}}, a.CompletePresets()); diff != "" {
		t.Errorf("presets (-want +got):\n%s", diff)
	}
	if got := a.CompleteSessions(); got != nil {
		t.Errorf("sessions where there are none: %v", got)
	}
}
