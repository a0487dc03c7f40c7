package live_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/engine"
	"ken/internal/index/live"
	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/memory/filelog"
	"ken/internal/session"
)

// secretWord is in what is erased, and nowhere else.
const secretWord = "zanzibarese"

// begun does to the files what erasing does first: it notes it, and sweeps the index.
func (h *home) begun(t *testing.T) {
	t.Helper()
	h.write(t, "erased.jsonl", `{"ts":"2026-05-13T19:00:00Z","ref":"desk-19c4/7","sum":"9f3a11c0"}`)
	if err := live.Drop(h.path("cache", "index")); err != nil {
		t.Fatal(err)
	}
}

// without rewrites a file without the lines that have the word.
func (h *home) without(t *testing.T, name string) {
	t.Helper()
	var kept []byte
	for line := range bytes.Lines(read(t, h.path(name))) {
		if !bytes.Contains(line, []byte(secretWord)) {
			kept = append(kept, line...)
		}
	}
	put(t, h.path(name+".tmp"), kept)
	if err := os.Rename(h.path(name+".tmp"), h.path(name)); err != nil {
		t.Fatal(err)
	}
}

// noTrace fails if a file of the index has the word.
func (h *home) noTrace(t *testing.T) {
	t.Helper()
	err := filepath.Walk(h.path("cache"), func(path string, fi os.FileInfo, err error) error {
		if err == nil && fi.Mode().IsRegular() && bytes.Contains(read(t, path), []byte(secretWord[4:])) {
			t.Errorf("%s has the word", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// openWith is an index that calls read when it has read the state, and stat before it
// looks at a file.
func (h *home) openWith(read, stat func()) *live.Index {
	own := filelog.Open(h.path("memory.jsonl"), filelog.Options{DeviceFile: h.path("device.json"), Head: h.path("cache", "head"), Now: h.clock})
	e := engine.New(engine.Options{Own: own, Now: h.clock}).As(engine.Actor{Kind: engine.Person})
	dir := session.Dir{Path: h.path("sessions"), Lock: h.dir, Run: h.path("run"), Now: h.clock}
	return live.New(live.Options{
		State: func(ctx context.Context) (*memory.State, error) {
			defer read()
			return e.State(ctx)
		},
		Clock: func() time.Time { stat(); return time.Now() },
		Own:   own, Logs: []live.Log{{Path: own.Path()}}, Also: []string{h.path("erased.jsonl")},
		Sessions: []session.Dir{dir, dir.Imports()}, Dir: h.path("cache", "index"), Lock: h.dir, Now: h.clock, Least: 1,
	})
}

// TestErasedMeanwhile (L5): an index of the memory that is being made while another
// process erases, which has swept the index already, is not kept.
func TestErasedMeanwhile(t *testing.T) {
	t.Parallel()
	for _, late := range []bool{false, true} {
		h := &home{dir: t.TempDir(), now: time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)}
		h.write(t, "device.json", `{"log":"desk-19c4"}`)
		h.write(t, "memory.jsonl", `{"meta":{"format":1,"log":"desk-19c4"}}`,
			`{"id":1,"ts":"2026-05-01T00:00:00Z","kind":"fact","content":"the host is kettle"}`,
			`{"id":2,"ts":"2026-05-01T00:00:00Z","kind":"fact","content":"speaks `+secretWord+`"}`)
		h.age(t)
		asked, gone := 0, false
		s := h.openWith(func() {
			if asked++; asked == 2 && !late { // the log is rewritten last
				h.begun(t)
			}
		}, func() {
			if made, err := filepath.Glob(h.path("cache", "index", "*.new")); len(made) > 0 && err == nil && late && !gone {
				h.without(t, "memory.jsonl")
				gone = true
			}
		})
		ask(t, s, "kettle")
		err := s.Rebuild(t.Context())
		if asked != 2 || gone != late || err == nil || !strings.Contains(err.Error(), "just changed") {
			t.Errorf("asked %d times, %v, %v", asked, gone, err)
		}
		if !gone {
			h.without(t, "memory.jsonl")
		}
		h.noTrace(t)
		h.age(t)
		s = h.open()
		ask(t, s, "kettle")
		if err := s.Rebuild(t.Context()); err != nil {
			t.Fatal(err)
		}
		if names, err := filepath.Glob(h.path("cache", "index", "*")); err != nil || len(names) != 1 {
			t.Errorf("made anew: %q, %v", names, err)
		}
		h.noTrace(t)
	}
}

// TestErasedFromTalkMeanwhile (L5): the same of conversations, of which one stands in
// a segment that is joined with the next.
func TestErasedFromTalkMeanwhile(t *testing.T) {
	t.Parallel()
	h := &home{dir: t.TempDir(), now: time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)}
	h.write(t, "device.json", `{"log":"desk-19c4"}`)
	h.write(t, "memory.jsonl", `{"meta":{"format":1,"log":"desk-19c4"}}`)
	talk := func(name, text string) {
		lines := []string{fmt.Sprintf(`{"meta":{"format":1,"session":"%s"}}`, name)}
		for n := 1; n <= 20; n++ {
			lines = append(lines, fmt.Sprintf(`{"ts":"2026-05-10T12:00:00Z","role":"user","content":"turn %d about %s","n":%d}`, n, text, n))
		}
		h.write(t, "sessions/"+name+".jsonl", lines...)
	}
	talk("a", secretWord)
	h.age(t)
	tend := func(s *live.Index) error {
		t.Helper()
		ask(t, s, "kettle")
		return s.Rebuild(t.Context())
	}
	if err := tend(h.open()); err != nil {
		t.Fatal(err)
	}
	talk("b", "kettles")
	h.settle(t) // as age, but the other file stays as it was
	s := h.open()
	ask(t, s, "kettle")
	h.without(t, "sessions/a.jsonl")
	if err := live.Drop(h.path("cache", "index")); err != nil {
		t.Fatal(err)
	}
	if err := s.Rebuild(t.Context()); err == nil || !strings.Contains(err.Error(), "just changed") {
		t.Errorf("%v", err)
	}
	h.noTrace(t)
	h.age(t)
	if err := tend(h.open()); err != nil {
		t.Error(err)
	}
}

// TestNoIndexUnderAnother: while somebody holds the lock under which is erased no
// index gets its name.
func TestNoIndexUnderAnother(t *testing.T) {
	t.Parallel()
	h, segments := indexed(t, "desk-19c4")
	if err := live.Drop(h.path("cache", "index")); err != nil {
		t.Fatal(err)
	}
	lock, err := jsonl.LockDir(t.Context(), h.dir, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	s := h.openWith(func() {}, func() {})
	ask(t, s, "kettle")
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if err := s.Rebuild(ctx); err == nil {
		t.Error("it was made")
	}
	if names, err := os.ReadDir(h.path("cache", "index")); err != nil || len(names) > 0 {
		t.Errorf("%v, %v", names, err)
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	ask(t, s, "kettle")
	if err := s.Rebuild(t.Context()); err != nil {
		t.Fatal(err)
	}
	if names, err := filepath.Glob(h.path("cache", "index", "*")); err != nil || len(names) != len(segments) {
		t.Errorf("%q, %v", names, err)
	}
}
