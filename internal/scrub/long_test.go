package scrub_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"ken/internal/memory"
	"ken/internal/scrub"
)

// TestLongLines: lines of many megabytes that cannot be read, in the memory, in a
// conversation and in what was typed, are looked into whole, go if they hold the text and
// stay if not, in memory that does not grow with them.
//
//ken:unraced
func TestLongLines(t *testing.T) { //nolint:paralleltest // it measures the heap
	const text = "the staging host is called kettle"
	h := newHouse(t)
	h.write("device.json", `{"log":"desk-19c4"}`)
	h.write("memory.jsonl", meta, `{"id":1,"kind":"fact","content":"`+text+`"}`)
	h.write("sessions/s1.jsonl", `{"meta":{"format":1,"session":"s1","started":"2026-05-10T19:00:01Z","channel":"terminal"}}`, `{"ts":"2026-05-10T19:00:04Z","role":"user","content":"tea","n":1}`)
	h.write("history", "ls")
	fill := strings.Repeat(`some words of a damaged line, %41 \u0041 &amp; café more; `, 1<<14) // 1 MB
	long := func(name string, mb int, says string) {
		t.Helper()
		f, err := os.OpenFile(filepath.Join(h.dir, name), os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		for i := range mb {
			piece := fill
			if i == 0 {
				piece = says + piece // a name of its own
			}
			if i == mb-1 {
				piece += says
			}
			if _, err := f.WriteString(piece); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := f.WriteString("\n"); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	sizes := map[string]int{"memory.jsonl": 24, "sessions/s1.jsonl": 3, "history": 2}
	for name, mb := range sizes {
		long(name, mb, "The STAGING  host is called kettle, it said")
		long(name, 2, "nothing of it")
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	_, proof := h.must(scrub.Want{IDs: []memory.ID{memory.Num(1)}})
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapSys) - int64(before.HeapSys); grown > 64<<20 {
		t.Errorf("the heap grew by %d MB beside a line of 24 MB", grown>>20)
	}
	if proof.Bytes < 5<<20 || proof.Bytes > 7<<20 {
		t.Errorf("%d bytes are left, want a line of 2 MB in each of three files", proof.Bytes)
	}
}
