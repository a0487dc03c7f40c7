package learn

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"ken/internal/app"
	"ken/internal/memory"
)

// TestOriginOfWhatIsRead: what is read of an answer has the least trusted origin of what its model
// read, by the answer's own turn, and by its trace where an older version wrote it.
func TestOriginOfWhatIsRead(t *testing.T) {
	t.Parallel()
	const head = `{"meta":{"format":1,"session":"s","channel":"terminal"}}
{"role":"user","content":"how do we build?","n":1}
`
	const docs = `{"event":"why","n":2,"chosen":[],"passed":[],"budget":{},"docs":[{"file":"AGENTS.md","sha256":"00","bytes":4,"of":4}]}`
	for name, c := range map[string]struct {
		lines string
		want  memory.Origin
	}{
		"nothing":   {`{"role":"assistant","content":"make","n":2}`, memory.OriginModel},
		"its turn":  {`{"role":"assistant","content":"make","n":2,"from":"external"}`, memory.OriginExternal},
		"its trace": {`{"role":"assistant","content":"make","n":2}` + "\n" + docs, memory.OriginExternal},
		"the one before": {`{"role":"assistant","content":"make","n":2,"from":"external"}
{"role":"user","content":"and?","n":3}
{"role":"assistant","content":"that is all","n":4}`, memory.OriginExternal},
		"one that was dropped": {`{"role":"assistant","content":"make","n":2,"from":"external"}
{"event":"left","n":1,"to":2,"why":"dropped"}
{"role":"user","content":"and?","n":3}
{"role":"assistant","content":"that is all","n":4}`, memory.OriginModel},
	} {
		dir := t.TempDir()
		h := app.Open(app.Options{
			Local:  []string{},
			Now:    time.Now,
			Getenv: func(name string) string { return map[string]string{"KEN_HOME": dir, "HOME": dir}[name] },
		}).View(app.Standing{Dir: dir})
		if _, err := h.Settings.Read(); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "sessions", "s.jsonl")
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(head+c.lines+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		read, err := ReadConversation(t.Context(), h, path, 0)
		if err != nil || len(read.Passages) < 2 {
			t.Fatalf("%s: %+v, %v", name, read, err)
		}
		if got := read.Passages[len(read.Passages)-1]; !got.Answer || got.Origin != c.want {
			t.Errorf("%s: %+v, want %s", name, got, c.want)
		}
	}
}
