package httpapi

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ken/internal/session"
	"ken/internal/trace"
)

// TestGiven: what a client was given is noted by reference under its name, whatever it says of itself, many answers in one line; what
// it was refused is not.
func TestGiven(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	get := func(path string) { b.ask(asked{method: http.MethodGet, path: path}) }
	for range 50 {
		get("/api/recall?q=kettle")
	}
	get("/api/memories/1")
	get("/api/memories/999")
	get("/api/recall?q=zebra")
	b.ask(asked{method: http.MethodPost, path: "/api/ports/export", body: `{"scope":"user","agent":"claude"}`})
	b.ask(asked{method: http.MethodGet, path: "/api/memories", token: "Bearer " + b.reader})
	b.stop()
	paths, err := filepath.Glob(filepath.Join(b.dir, "sessions", "*.jsonl"))
	if err != nil || len(paths) != 1 {
		t.Fatal(paths, err)
	}
	text, err := os.ReadFile(paths[0])
	if err != nil || strings.Contains(string(text), "staging") || strings.Contains(string(text), elsewhere) {
		t.Errorf("%v: %s", err, text)
	}
	for by, most := range map[string]int{"recall": 5, "why": 1, "export": 1, "page": 1} {
		if n := strings.Count(string(text), `"by":"`+by+`"`); n < 1 || n > most {
			t.Errorf("%d notes of %s, want 1 to %d", n, by, most)
		}
	}
	sessions := session.Dir{Path: filepath.Join(b.dir, "sessions")}
	given, err := trace.Receivers(sessions, func(ref string) bool { return ref == "1" })
	names := []string{}
	for _, g := range given {
		names = append(names, g.Agent)
	}
	if err != nil || !slices.Equal(names, []string{"looker", "notes"}) {
		t.Errorf("%v %v", names, err)
	}
	if others, err := trace.Receivers(sessions, func(ref string) bool { return ref != "1" }); err != nil || len(others) != 0 {
		t.Errorf("what they were not given is noted: %+v %v", others, err)
	}
}

// TestNames: a client asks for what holds everywhere, who the person is and what they were lately busy with by the names of their
// namespace; the texts are masked, and are no memories.
func TestNames(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	for name, text := range map[string]string{
		"profile.md": "Ada, a sailor. password = " + "hunter2" + "hunter2\n",
		"working.md": "# Working Memory\nUpdated: 2026-03-01T10:00:00Z\nExpires: 2999-03-15T10:00:00Z\n\n## Said\n- My boat is called Annabel.\n",
	} {
		if err := os.WriteFile(filepath.Join(b.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"user/facts": "kettle", "user/profile": "Ada, a sailor", "user/working": "Annabel"} {
		got := b.ask(asked{method: http.MethodPost, path: "/api/ports/recall-preferences", body: `{"scope":"` + name + `"}`})
		if got.status != http.StatusOK || !strings.Contains(got.body, want) ||
			strings.Contains(got.body, "hunter2") || strings.Contains(got.body, elsewhere) {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
	if got := b.tool("", "recall", `{"query":"boat","scope":"user/working"}`); !strings.Contains(got.body, "Annabel") {
		t.Error(got.body)
	}
}
