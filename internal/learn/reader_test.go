package learn

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"ken/internal/app"
	"ken/internal/fault"
	"ken/internal/llm/llmtest"
)

// TestModelTakesTooLong: a model that is not done in time is a limit that was reached.
func TestModelTakesTooLong(t *testing.T) {
	t.Parallel()
	server := llmtest.New(t, llmtest.Hang("fact: the tea"))
	dir := t.TempDir()
	settings := "model = \"m\"\n[models.m]\nbase_url = \"" + server.URL + "\"\nmodel = \"m\"\n"
	if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	h := app.Open(app.Options{
		Local:  []string{},
		Now:    time.Now,
		Getenv: func(name string) string { return map[string]string{"KEN_HOME": dir, "HOME": dir}[name] },
	}).View(app.Standing{Dir: dir})
	if _, err := h.Settings.Read(); err != nil {
		t.Fatal(err)
	}
	m, err := Reader(t.Context(), h, "", 200*time.Millisecond)
	if err != nil || m == nil {
		t.Fatalf("no model: %v", err)
	}
	if _, err := m.Answer(t.Context(), "read", "a conversation"); fault.KindOf(err) != fault.Limit {
		t.Errorf("kind %v of %v", fault.KindOf(err), err)
	}
}
