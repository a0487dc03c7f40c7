package doctor_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/app"
	"ken/internal/config"
	"ken/internal/doctor"
	"ken/internal/view"
)

// A person stands in a directory of their own, with these variables and no program.
type person map[string]string

func (p person) Getenv(name string) string { return p[name] }
func (person) FindProgram(name string) (string, error) {
	return "", &os.PathError{Op: "find", Path: name, Err: os.ErrNotExist}
}
func (person) Verb(command string) string { return ":" + command }
func (person) NextStep(error) string      { return "" }

func now() time.Time { return time.Date(2026, 5, 13, 19, 0, 0, 0, time.UTC) }

func open(t *testing.T) (person, *app.View) {
	t.Helper()
	dir := t.TempDir()
	p := person{"KEN_HOME": filepath.Join(dir, "ken"), "HOME": dir, "LANG": "C.UTF-8"}
	return p, app.Open(app.Options{Getenv: p.Getenv, Now: now, Clock: now, Local: []string{}}).View(app.Standing{})
}

// one is what is said of what; the zero Sign if nothing is.
func one(signs []view.Sign, what string) view.Sign {
	for _, s := range signs {
		if s.What == what {
			return s
		}
	}
	return view.Sign{}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// TestLook: where nothing is set up the gap is the model, each gap has its next step as the person types it, and nothing is made.
func TestLook(t *testing.T) {
	t.Parallel()
	p, h := open(t)
	beside := view.Sign{Level: view.SignNote, What: "terminal", Says: "none"}
	signs := doctor.Look(t.Context(), h, p, doctor.Options{Offline: true, Terminal: []view.Sign{beside}})
	for what, level := range map[string]string{
		"settings": view.SignNote, "model": view.SignGap, "data": view.SignOK, "memory": view.SignOK, "clock": view.SignOK,
		"terminal": view.SignNote, "locale": view.SignOK, "shell": view.SignGap, "git": view.SignNote, "namespace": view.SignNote,
	} {
		if got := one(signs, what); got.Level != level && !(what == "data" && got.Level == view.SignNote) {
			t.Errorf("%s: %+v", what, got)
		}
	}
	if next := one(signs, "settings").Next; next != ":config init writes one" {
		t.Error(next)
	}
	for _, s := range signs {
		if s.Level == view.SignGap && s.Next == "" {
			t.Errorf("a gap without a next step: %+v", s)
		}
	}
	if _, err := os.Stat(p["KEN_HOME"]); !errors.Is(err, os.ErrNotExist) {
		t.Error("something was made", err)
	}
}

// TestLookAtFaults: settings that cannot be read are told line by line, and what the face says of its keys stands with them.
func TestLookAtFaults(t *testing.T) {
	t.Parallel()
	p, h := open(t)
	file := filepath.Join(p["KEN_HOME"], "config.toml")
	write(t, file, "nonsense = 1\nother = 2\n")
	signs := doctor.Look(t.Context(), h, p, doctor.Options{Offline: true})
	got := one(signs, "settings")
	if got.Level != view.SignGap || !strings.Contains(got.Says, "nonsense") || got.Next != "mend it: :config edit" {
		t.Errorf("%+v", signs)
	}
	write(t, file, "[keys]\n\"\\\\C-n\" = \"no-such-action\"\n")
	keys := func(keys map[string]string) (wrong []string) {
		for k, v := range keys {
			wrong = append(wrong, k+": "+v)
		}
		return wrong
	}
	signs = doctor.Look(t.Context(), h, p, doctor.Options{Offline: true, Keys: keys})
	if got := one(signs, "settings"); got.Level != view.SignGap || !strings.Contains(got.Says, "no-such-action") {
		t.Errorf("%+v", signs)
	}
}

// TestAssistants: an assistant whose server may not be started is said to be set up, and why nobody asked it.
func TestAssistants(t *testing.T) {
	t.Parallel()
	p, h := open(t)
	write(t, filepath.Join(p["HOME"], ".copilot", "mcp-config.json"),
		`{"mcpServers": {"ken": {"type": "local", "command": "/opt/bin/ken", "args": ["mcp", "--as", "copilot"], "tools": ["*"]}}}`)
	write(t, filepath.Join(p["HOME"], ".gemini", "settings.json"), "{}\n")
	signs := doctor.Look(t.Context(), h, p, doctor.Options{Offline: true, Unstarted: "nobody asked"})
	if got := one(signs, "copilot"); got.Level != view.SignNote || got.Says != "set up in ~/.copilot/mcp-config.json; nobody asked" {
		t.Errorf("%+v", got)
	}
	if got := one(signs, "gemini"); got.Next != ":setup gemini" {
		t.Errorf("%+v", got)
	}
}

// TestFiles: a line that cannot be read is an error with its number, and a file that others may read a warning; both name what to do.
func TestFiles(t *testing.T) {
	t.Parallel()
	p, _ := open(t)
	_, paths, err := config.Open(p.Getenv, p["HOME"], "")
	if err != nil {
		t.Fatal(err)
	}
	write(t, paths.Memory(), "{\"id\":1,\"ts\":\"2026-05-13T18:00:00Z\",\"kind\":\"fact\",\"content\":\"x\"}\noops\n")
	if err := os.Chmod(paths.Memory(), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := doctor.Files(t.Context(), p, paths, nil, now())
	if err != nil || got.Errors != 1 || got.Warnings != 1 {
		t.Fatalf("%v: %+v", err, got)
	}
	for _, f := range got.Findings {
		if f.Hint == "" || f.Level == view.LevelError && f.Line != 2 {
			t.Errorf("%+v", f)
		}
	}
}
