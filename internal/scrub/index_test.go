package scrub_test

import (
	"os"
	"path/filepath"
	"testing"

	"ken/internal/memory"
	"ken/internal/scrub"
)

// A lateIndex is a file system on which another process gives an index its name just
// before the log is rewritten, when the index was swept already.
type lateIndex struct {
	noSync
	index string
	made  *int
}

// Rename implements jsonl.FS.
func (f lateIndex) Rename(from, to string) error {
	if filepath.Base(to) == "memory.jsonl" {
		*f.made++
		if err := os.MkdirAll(filepath.Dir(f.index), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(f.index, []byte("zanzibarese"), 0o600); err != nil {
			return err
		}
	}
	return f.noSync.Rename(from, to)
}

// TestIndexMeanwhile (L5): an index that was made between the sweep and the log is
// swept as well.
func TestIndexMeanwhile(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	made := 0
	h.fs = lateIndex{noSync{}, filepath.Join(h.dir, "cache", "index", "0123456789abcdef", "memory-01234567.seg"), &made}
	h.write("device.json", `{"log":"desk-19c4"}`)
	h.write("memory.jsonl", `{"meta":{"format":1,"log":"desk-19c4"}}`,
		`{"id":1,"ts":"2026-05-01T00:00:00Z","kind":"fact","content":"they speak zanzibarese there"}`)
	if _, _, err := h.run(scrub.Want{IDs: []memory.ID{memory.Num(1)}}); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(h.dir, "cache", "index", "*", "*"))
	if made != 1 || err != nil || len(left) > 0 {
		t.Errorf("made %d times, left %q, %v", made, left, err)
	}
}
