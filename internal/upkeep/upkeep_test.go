package upkeep_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/app"
	"ken/internal/config"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/learn"
	"ken/internal/memory"
	"ken/internal/session"
	"ken/internal/undo"
	"ken/internal/upkeep"
	"ken/internal/upkeep/page"
)

// A house is a memory with all that it says.
type house struct {
	*app.View
	dir      string
	now      time.Time
	warnings []string
	notes    []string
}

// person is who acts unless a test says otherwise.
func person() engine.Actor { return engine.Actor{Kind: engine.Person} }

// open is a memory with n facts, of nobody knows when they were used, under these settings.
func open(t *testing.T, n int, settings string) *house {
	t.Helper()
	h := &house{dir: t.TempDir(), now: time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)}
	var lines strings.Builder
	for i := range n {
		fmt.Fprintf(&lines, `{"id":%d,"ts":"2026-01-02T10:00:00Z","kind":"fact","content":"host number %d is up"}`+"\n", i+1, i)
	}
	for name, text := range map[string]string{"memory.jsonl": lines.String(), "config.toml": settings} {
		if err := os.WriteFile(filepath.Join(h.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	h.View = app.Open(app.Options{
		Local:  []string{},
		Now:    func() time.Time { return h.now },
		Getenv: func(name string) string { return map[string]string{"KEN_HOME": h.dir, "HOME": h.dir}[name] },
	}).View(app.Standing{Dir: h.dir, Actor: person(), Voice: fault.Voice{
		OnWarn: func(err error) { h.warnings = append(h.warnings, err.Error()) },
		OnNote: func(n fault.Note) { h.notes = append(h.notes, n.In(nil)) },
	}})
	if _, err := h.View.Settings.Read(); err != nil {
		t.Fatal(err)
	}
	return h
}

// archived counts what is out of sight.
func (h *house) archived(t *testing.T) (n int) {
	t.Helper()
	s, err := h.View.Memory.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range s.With(memory.StatusActive) {
		if it.Tier == memory.TierArchive {
			n++
		}
	}
	return n
}

// aging archives what nobody used for a month.
const aging = "[memory.hygiene]\nhot_days = 30\n"

// TestFirstSweepAsks: the first sweep that is more than a handful is begun by the person
// alone, through the port; what is done is noted with its undo.
func TestFirstSweepAsks(t *testing.T) {
	t.Parallel()
	for _, yes := range []bool{false, true} {
		h := open(t, 15, aging)
		asked := ""
		u := upkeep.New(h.View, func(_ context.Context, what string) bool {
			asked = what
			return yes
		})
		// The first look takes note of when each was seen: they age from then on.
		u.After(t.Context(), upkeep.Event{What: upkeep.Ended})
		if asked != "" || h.archived(t) > 0 {
			t.Fatalf("asked %q, noted %q on the first day", asked, h.notes)
		}
		h.now = h.now.AddDate(0, 2, 0)
		u.After(t.Context(), upkeep.Event{What: upkeep.Ended})
		if len(h.warnings) > 0 {
			t.Fatalf("warned %q", h.warnings)
		}
		if got := h.archived(t); asked == "" || (got > 0) != yes {
			t.Errorf("yes %t: asked %q, archived %d, noted %q", yes, asked, got, h.notes)
		}
		want := "undo: ken undo 16"
		if !yes {
			want = "waits for you: ken memory tidy hygiene"
		}
		if len(h.notes) != 1 || !strings.Contains(h.notes[0], want) {
			t.Errorf("yes %t: noted %q, want %q", yes, h.notes, want)
		}
	}
}

// TestNobodyKeepsHouse: for a model, a tool and nobody at all nothing happens by itself,
// and nobody is asked.
func TestNobodyKeepsHouse(t *testing.T) {
	t.Parallel()
	who := map[string]engine.Actor{"nobody": {}, "model": {Kind: engine.Model}, "tool": {Kind: engine.Tool}}
	for name, actor := range who {
		h := open(t, 15, aging)
		theirs := h.As(actor)
		if _, err := theirs.Settings.Read(); err != nil {
			t.Fatal(err)
		}
		u := upkeep.New(theirs, func(context.Context, string) bool {
			t.Errorf("%s: somebody was asked", name)
			return true
		})
		upkeep.New(h.View, nil).After(t.Context(), upkeep.Event{What: upkeep.Ended})
		h.now = h.now.AddDate(0, 2, 0) // something is due by now
		for what := upkeep.Changed; what <= upkeep.Ended; what++ {
			u.After(t.Context(), upkeep.Event{What: what, Session: filepath.Join(h.dir, "none.jsonl")})
		}
		if n := h.archived(t); n > 0 || len(h.notes)+len(h.warnings) > 0 {
			t.Errorf("%s: archived %d, noted %q, warned %q", name, n, h.notes, h.warnings)
		}
	}
}

// TestExpires: what files held before tools changed them goes after a conversation, when it is too old and not before.
func TestExpires(t *testing.T) {
	t.Parallel()
	h := open(t, 0, "")
	kept := filepath.Join(config.UndoIn(h.View.Settings.Paths()), "0123")
	if err := os.MkdirAll(filepath.Dir(kept), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(kept, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(kept, time.Time{}, h.now.Add(time.Hour-undo.Kept)); err != nil {
		t.Fatal(err)
	}
	u := upkeep.New(h.View, nil)
	u.After(t.Context(), upkeep.Event{What: upkeep.Ended})
	if _, err := os.Lstat(kept); err != nil {
		t.Errorf("too early: %v", err)
	}
	h.now = h.now.Add(2 * time.Hour)
	u.After(t.Context(), upkeep.Event{What: upkeep.Ended})
	if _, err := os.Lstat(kept); err == nil || len(h.warnings) > 0 {
		t.Errorf("it is there still; warned %q", h.warnings)
	}
}

// TestSummedUpIsReadBehindTheAnswer: turns that were summed up are read for candidates
// when the answer is there, once, and not before.
func TestSummedUpIsReadBehindTheAnswer(t *testing.T) {
	t.Parallel()
	h := open(t, 0, "[memory]\nuser_namespace = \"ada\"\n")
	path := talk(t, h)
	u := upkeep.New(h.View, nil)
	said := upkeep.Event{What: upkeep.Answered, Session: path}
	u.After(t.Context(), said)
	u.After(t.Context(), upkeep.Event{What: upkeep.Compacted})
	if len(h.notes) > 0 {
		t.Fatalf("noted %q before the answer", h.notes)
	}
	u.After(t.Context(), said)
	u.After(t.Context(), said)
	if len(h.notes) != 1 || !strings.Contains(h.notes[0], "1 candidate waits (ken review)") || len(h.warnings) > 0 {
		t.Errorf("noted %q, warned %q", h.notes, h.warnings)
	}
}

// TestFollowsThroughAnyFace: what the person takes back through the contract of all faces
// leaves their page at once; what others suggest changes no page.
func TestFollowsThroughAnyFace(t *testing.T) {
	t.Parallel()
	h := open(t, 2, "")
	s, err := h.Memory.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w, err := page.Write(t.Context(), h.View, s, false)
	if err != nil {
		t.Fatal(err)
	}
	a := app.Open(app.Options{
		Now:    func() time.Time { return h.now },
		Getenv: func(name string) string { return map[string]string{"KEN_HOME": h.dir, "HOME": h.dir}[name] },
	})
	a.Subscribe(upkeep.Follow)
	says := func() string {
		b, err := os.ReadFile(w.Path)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	before := says()
	if _, err := a.View(app.Standing{Actor: app.Actor{Kind: app.Agent, Name: "x"}}).Forget(t.Context(), "old", "1"); err != nil {
		t.Fatal(err)
	}
	if after := says(); after != before || !strings.Contains(after, "host number 0") {
		t.Errorf("a suggestion changed the page:\n%s", after)
	}
	if _, err := a.View(app.Standing{Actor: app.Actor{Kind: app.Person}}).Forget(t.Context(), "", "1"); err != nil {
		t.Fatal(err)
	}
	if after := says(); strings.Contains(after, "host number 0") || !strings.Contains(after, "host number 1") {
		t.Errorf("the page does not follow:\n%s", after)
	}
}

// TestTaughtIsNoCandidate: what was remembered of a line in fewer words does not wait as well;
// what else that line says does.
func TestTaughtIsNoCandidate(t *testing.T) {
	t.Parallel()
	for kept, want := range map[string]string{
		"keep your answers short": "", "": "1 candidate waits", "my name is Ada": "1 candidate waits",
	} {
		h := open(t, 0, "[memory]\nuser_namespace = \"ada\"\n")
		path := say(t, h, "From now on keep your answers short.")
		if kept != "" {
			w, err := h.Memory.Writer()
			if err != nil {
				t.Fatal(err)
			}
			session := strings.TrimSuffix(filepath.Base(path), ".jsonl")
			if _, err := w.Remember(t.Context(), engine.Draft{Content: kept, Source: &memory.Source{Session: session, Turn: 1}}); err != nil {
				t.Fatal(err)
			}
		}
		upkeep.New(h.View, nil).After(t.Context(), upkeep.Event{What: upkeep.Ended, Session: path})
		if got := strings.Join(h.notes, "; "); len(h.warnings) > 0 || (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("kept %q: noted %q, want %q; warned %q", kept, got, want, h.warnings)
		}
	}
}

// talk is a conversation in which the person states one thing.
func talk(t *testing.T, h *house) string {
	t.Helper()
	return say(t, h, "my name is Ada")
}

// say is a conversation of one line.
func say(t *testing.T, h *house, line string) string {
	t.Helper()
	rec, _, _, err := h.View.Conversations.Record(app.Recording{Channel: session.ChannelTerminal})
	if err != nil {
		t.Fatal(err)
	}
	turn := session.Turn{Role: session.RoleUser, Content: line, Time: h.View.Now()}
	if _, err := rec.AppendTurn(turn); err != nil {
		t.Fatal(err)
	}
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
	return rec.Path()
}

// TestWaiting: what waits is said with the command that answers it, as a face writes it.
func TestWaiting(t *testing.T) {
	t.Parallel()
	inShell := func(c fault.Command) string { return ":" + string(c) }
	if got := learn.Waiting(1).In(inShell); got != "memory: 1 candidate waits (:review)" {
		t.Error(got)
	}
	if got := learn.Waiting(2).String(); got != "memory: 2 candidates wait (ken review)" {
		t.Error(got)
	}
}
