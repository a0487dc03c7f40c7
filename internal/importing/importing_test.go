package importing_test

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/app"
	"ken/internal/importing"
)

const talk = `{"session":"standup","turn":1,"speaker":"Ada","text":"the kettle is red"}
{"session":"standup","turn":2,"speaker":"Bo","text":"the drum prints"}
`

// open opens a memory of its own for the person, who stands nowhere.
func open(t *testing.T) (h *app.View, dir string) {
	t.Helper()
	dir = t.TempDir()
	env := map[string]string{"KEN_HOME": dir, "HOME": dir}
	now := func() time.Time { return time.Date(2026, 5, 13, 19, 0, 0, 0, time.UTC) }
	memory := app.Open(app.Options{Getenv: func(name string) string { return env[name] }, Now: now, Clock: now, Local: []string{}})
	return memory.View(app.Standing{Actor: app.Actor{Kind: app.Person, Face: "web"}}), dir
}

func stream(name, text string) importing.Source {
	return importing.Source{Name: name, Data: bytes.NewReader([]byte(text))}
}

func run(t *testing.T, h *app.View, r importing.Request, sources ...importing.Source) importing.Result {
	t.Helper()
	got, err := importing.Run(t.Context(), h, r, sources...)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// waiting are the texts that wait for the person.
func waiting(t *testing.T, h *app.View) (texts []string) {
	t.Helper()
	e, err := h.Memory.Engine()
	if err != nil {
		t.Fatal(err)
	}
	pending, _, _, err := e.Queue(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range pending {
		texts = append(texts, string(w.Proposal.Record.Scope)+" "+w.Proposal.Record.Content)
	}
	return texts
}

// TestDryRun: a dry run says what would come in, and writes no file.
func TestDryRun(t *testing.T) {
	t.Parallel()
	h, dir := open(t)
	got := run(t, h, importing.Request{DryRun: true}, stream("CLAUDE.md", "- Always answer in English\n"), stream("standup.jsonl", talk))
	if len(got.Would) != 1 || got.Would[0].Content != "Always answer in English" || got.Turns != 2 || !got.Undo.IsEmpty() {
		t.Errorf("%+v", got)
	}
	if text := got.Text(""); text != "would propose 1 memory; would import 2 turns" {
		t.Error(text)
	}
	for _, path := range []string{"review.jsonl", "memory.jsonl", "sessions"} {
		if _, err := os.Stat(filepath.Join(dir, path)); err == nil {
			t.Errorf("%s was written", path)
		}
	}
}

// TestScope: what names no scope holds where the request says, also where it comes as a stream.
func TestScope(t *testing.T) {
	t.Parallel()
	h, _ := open(t)
	run(t, h, importing.Request{Scope: "repo:example.org/ada/shop"}, stream("CLAUDE.md", "- Run `make check` before every commit\n"))
	if got := waiting(t, h); len(got) != 1 || !strings.HasPrefix(got[0], "repo:example.org/ada/shop ") {
		t.Errorf("%q", got)
	}
	shop := stream("CLAUDE.md", "- The shop sells kettles\n")
	if _, err := importing.Run(t.Context(), h, importing.Request{Scope: "nowhere"}, shop); err == nil {
		t.Error("no error")
	}
}

// TestUndo: taking an import back refuses its suggestions and empties its sessions; what was decided on or added to since stays.
func TestUndo(t *testing.T) {
	t.Parallel()
	h, dir := open(t)
	page := stream("CLAUDE.md", "- Answer in English\n- The shop sells kettles\n")
	first := run(t, h, importing.Request{}, stream("standup.jsonl", talk), page)
	if first.Proposed != 2 || first.Added != 2 || len(waiting(t, h)) != 2 {
		t.Fatalf("%+v", first)
	}
	third := `{"session":"standup","turn":3,"text":"the harbour is closed"}` + "\n"
	more := run(t, h, importing.Request{}, stream("standup.jsonl", talk+third))
	if more.Added != 1 || more.Same != 2 {
		t.Fatalf("%+v", more)
	}
	done, err := first.Undo.Run(t.Context(), h) // the session has a turn of another import by now
	if err != nil || done.Refused != 2 || done.Sessions != 0 || done.Changed != 1 || len(waiting(t, h)) != 0 {
		t.Fatalf("%+v, %v", done, err)
	}
	if done, err = more.Undo.Run(t.Context(), h); err != nil || done.Sessions != 1 {
		t.Fatalf("%+v, %v", done, err)
	}
	if done, err = first.Undo.Run(t.Context(), h); err != nil || done.Refused != 0 || done.Kept != 2 || done.Sessions != 1 {
		t.Fatalf("%+v, %v", done, err)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "sessions", "import", "*")); len(files) != 0 {
		t.Errorf("left: %q", files)
	}
	if again := run(t, h, importing.Request{}, stream("standup.jsonl", talk)); again.Added != 2 {
		t.Errorf("%+v", again)
	}
}

// TestGaps: a part that cannot be read is told by its line, a source that cannot be read by its error, and the rest is taken.
func TestGaps(t *testing.T) {
	t.Parallel()
	h, dir := open(t)
	got := run(t, h, importing.Request{}, stream("standup.jsonl", talk+"oops\n"), importing.Source{Name: filepath.Join(dir, "none")})
	if got.Added != 2 || got.Left != 1 || len(got.Bad) != 1 || got.Bad[0].Line != 3 || len(got.Unread) != 1 {
		t.Errorf("%+v", got)
	}
	_, err := importing.Run(t.Context(), h, importing.Request{}, stream("blank.md", "\n"))
	if err == nil || !strings.Contains(err.Error(), "nothing in it reads like a fact") {
		t.Error(err)
	}
}

// TestZip: a zip file that comes as a stream is read as one that lies in a directory.
func TestZip(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("standup.jsonl")
	if err == nil {
		_, err = w.Write([]byte(talk))
	}
	if err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	h, _ := open(t)
	if got := run(t, h, importing.Request{}, stream("export.zip", b.String())); got.Added != 2 {
		t.Errorf("%+v", got)
	}
	_, err = importing.Run(t.Context(), h, importing.Request{}, importing.Source{Name: "-", Data: &b})
	if err == nil || !strings.Contains(err.Error(), "standard input") {
		t.Error(err)
	}
}
