package settings_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/app"
	"ken/internal/config"
	"ken/internal/fault"
	"ken/internal/llm/llmtest"
	"ken/internal/settings"
)

func open(t *testing.T) (h *app.View, file string) {
	t.Helper()
	dir := t.TempDir()
	env := map[string]string{"KEN_HOME": dir, "HOME": dir}
	memory := app.Open(app.Options{Getenv: func(name string) string { return env[name] }, Now: time.Now, Local: []string{}})
	return memory.View(app.Standing{Actor: app.Actor{Kind: app.Person}}), filepath.Join(dir, "config.toml")
}

func text(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestBegin: a first file has the model and the namespace, and is read as settings; a second one needs force, and keeps the first.
func TestBegin(t *testing.T) {
	t.Parallel()
	h, file := open(t)
	first := settings.First{Namespace: "ada", Model: settings.Model{
		Preset: "local", BaseURL: "http://127.0.0.1:11434/v1", Name: "qwen3", KeyEnv: "MY_KEY",
	}}
	path, backup, err := settings.Begin(t.Context(), h, first, false)
	if err != nil || path != file || backup != "" {
		t.Fatal(path, backup, err)
	}
	cfg, err := config.Parse([]byte(text(t, file)), file)
	if err != nil || cfg.Model != "local" || cfg.Models["local"].Model != "qwen3" || cfg.Memory.UserNamespace != "ada" {
		t.Fatalf("%v: %+v", err, cfg)
	}
	if _, _, err := settings.Begin(t.Context(), h, settings.First{}, false); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	was := text(t, file)
	if _, backup, err = settings.Begin(t.Context(), h, settings.First{}, true); err != nil || text(t, backup) != was {
		t.Error(backup, err)
	}
}

// TestSet: wishes are done together or not at all, what was not wished for keeps its bytes, and a dry run writes nothing.
func TestSet(t *testing.T) {
	t.Parallel()
	h, file := open(t)
	quiet := settings.Wish{Key: []string{"ui", "quiet"}, Value: "true"}
	name := settings.Wish{Key: []string{"memory", "user_namespace"}, Value: `"ada"`}
	if done, err := settings.Set(t.Context(), h, []settings.Wish{quiet}, true); err != nil || done.Made || len(done.Results) != 1 {
		t.Errorf("%+v, %v", done, err)
	}
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a dry run wrote", err)
	}
	if err := os.WriteFile(file, []byte("# mine\n[ui]\ncolor = \"never\" # why\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	wrong := settings.Wish{Key: []string{"nonsense"}, Value: "1"}
	before := text(t, file)
	_, err := settings.Set(t.Context(), h, []settings.Wish{quiet, wrong}, false)
	if fault.KindOf(err) != fault.Usage || text(t, file) != before {
		t.Errorf("%v: %s", err, text(t, file))
	}
	done, err := settings.Set(t.Context(), h, []settings.Wish{quiet, name}, false)
	if err != nil || !done.Config.UI.Quiet || done.Config.Memory.UserNamespace != "ada" {
		t.Fatalf("%+v, %v", done, err)
	}
	if got := text(t, file); !strings.Contains(got, "# mine\n[ui]\ncolor = \"never\" # why\n") {
		t.Error(got)
	}
	out := []settings.Wish{{Key: quiet.Key, Unset: true}, {Key: name.Key, Unset: true}}
	if _, err := settings.Set(t.Context(), h, out, false); err != nil {
		t.Error(err)
	}
	if done, err = settings.Set(t.Context(), h, []settings.Wish{{Key: []string{"nonsense"}, Unset: true}}, false); err == nil {
		t.Errorf("%+v", done)
	}
}

// TestComplete: the only model of a server is taken, a vendor's name stands for its address, and what cannot be known is refused.
func TestComplete(t *testing.T) {
	t.Parallel()
	h, _ := open(t)
	if _, err := h.Settings.Read(); err != nil {
		t.Fatal(err)
	}
	server := llmtest.New(t)
	got, err := settings.Complete(t.Context(), h.Models(), settings.Model{BaseURL: server.URL})
	if err != nil || got.Name != "test" || got.Preset != "local" {
		t.Errorf("%+v, %v", got, err)
	}
	for _, given := range []settings.Model{{}, {BaseURL: "http://127.0.0.1:1/v1"}, {BaseURL: server.URL, Name: "x", KeyEnv: "no variable"}} {
		if got, err := settings.Complete(t.Context(), h.Models(), given); err == nil {
			t.Errorf("%+v: %+v", given, got)
		}
	}
}
