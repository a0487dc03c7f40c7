package session

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestNote: all that is noted on one day for one assistant by one face is in one file, whoever notes at once; another day, face or
// assistant has another.
func TestNote(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	dir := Dir{Path: filepath.Join(root, "sessions"), Lock: root, Run: filepath.Join(root, "run"), Now: func() time.Time { return now }}
	why := Event{Name: EventWhy, Fields: []Field{StringField("agent", "claude")}}
	const each = 20
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range each {
				if err := dir.Note(t.Context(), Header{Channel: "hook", Agent: "claude"}, why); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	paths, err := filepath.Glob(filepath.Join(dir.Path, "*.jsonl"))
	if err != nil || len(paths) != 1 {
		t.Fatal(paths, err)
	}
	s, err := Load(paths[0])
	if err != nil || len(s.Entries) != 8*each || s.Warning() != "" || s.Header.Agent != "claude" || !isID(s.Header.Session) {
		t.Errorf("%v: %d entries, %+v", err, len(s.Entries), s.Header)
	}
	if b, err := os.ReadFile(paths[0]); err != nil || strings.Count(string(b), `"meta"`) != 1 {
		t.Errorf("%v: %s", err, b)
	}
	now = now.Add(13 * time.Hour)
	for _, h := range []Header{{Channel: "hook", Agent: "claude"}, {Channel: "hook", Agent: "gemini"}, {Channel: "http", Agent: "claude"}} {
		if err := dir.Note(t.Context(), h, why); err != nil {
			t.Error(err)
		}
	}
	gave := 0
	for path, err := range dir.Gave() {
		if gave++; err != nil {
			t.Error(path, err)
		}
	}
	if gave != 4 {
		t.Errorf("%d files, want 4", gave)
	}
}
