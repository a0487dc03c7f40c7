package made

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ken/internal/foreign"
	"ken/internal/memory"
	"ken/internal/session"
)

// TestMemories writes logs that ken reads as they were meant, the same at every
// call.
func TestMemories(t *testing.T) {
	t.Parallel()
	const n = 200
	var texts [2][]byte
	for i := range texts {
		file := filepath.Join(t.TempDir(), "memory.jsonl")
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Memories(file, n); err != nil {
			t.Fatal(err)
		}
		var err error
		if texts[i], err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(texts[0], texts[1]) {
		t.Error("two logs of one size differ")
	}
	id, project, pinned := int64(1), 0, 0
	for line := range bytes.Lines(texts[0]) {
		rec, notes, err := memory.ParseLine(bytes.TrimSuffix(line, []byte("\n"))).AsRecord()
		if id++; err != nil || len(notes) > 0 || rec.ID != memory.Num(id) || rec.Content == "" {
			t.Fatalf("line %q: %v, %v", line, err, notes)
		}
		if rec.Scope != "" {
			project++
		}
		if rec.Pinned {
			pinned++
		}
	}
	if id != n+1 || project == 0 || project > n/4 || pinned == 0 || pinned > n/8 {
		t.Errorf("%d memories, %d of the project, %d pinned", id-1, project, pinned)
	}
}

// TestTurns and objects are read back whole by those who import them; another
// series is another import.
func TestTurns(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sessions := map[string]int{}
	for series := range 2 {
		file := filepath.Join(dir, "turns")
		if err := Turns(file, series, 250); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		turns, bad, err := foreign.ReadTurns(f, foreign.Options{})
		if err != nil || len(bad) > 0 || len(turns) != 250 {
			t.Errorf("%d turns, %v, %v; want 250", len(turns), bad, err)
		}
		for _, turn := range turns {
			sessions[turn.Session]++
		}
		_ = f.Close()
	}
	if len(sessions) != 6 || sessions["talk-1-0"] != 100 || sessions["talk-0-2"] != 50 {
		t.Errorf("sessions %v", sessions)
	}
}

func TestObjects(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "objects")
	if err := Objects(file, 1, 30); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for e, err := range foreign.Read(f, foreign.Format("objects"), foreign.Options{}) {
		if err != nil || len(e.Turns) > 0 {
			t.Fatalf("%+v, %v", e, err)
		}
		for _, c := range e.Candidates {
			if n++; len(c.Record.Content) < 20 {
				t.Errorf("it says %q", c.Record.Content)
			}
		}
	}
	if n != 30 {
		t.Errorf("%d objects, want 30", n)
	}
}

// TestConversations: one in fifty quotes, and all are read without a problem.
func TestConversations(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "sessions")
	if err := Conversations(dir, 60, "the quoted one"); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(files) != 60 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	quoted := 0
	for _, file := range files {
		tr, err := session.Load(file)
		if err != nil || !tr.Headed || len(tr.Problems) > 0 || tr.Last() != 40 {
			t.Fatalf("%s: %+v, %v", file, tr, err)
		}
		if slices.ContainsFunc(tr.Entries, func(e session.Entry) bool {
			return e.Turn != nil && strings.Contains(e.Turn.Content, "the quoted one")
		}) {
			quoted++
		}
	}
	if quoted != 2 {
		t.Errorf("%d quote it, want 2", quoted)
	}
}

// TestSentences: none stands twice, not even among several writers.
func TestSentences(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for seed := range uint64(8) {
		for _, s := range Sentences(seed, 200) {
			if seen[s] {
				t.Fatalf("%q stands twice", s)
			}
			seen[s] = true
		}
	}
}
