package memory

import (
	"fmt"
	"runtime"
	"testing"
)

// live is how many bytes the heap holds.
func live() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestRoomOfALine: a memory of hundreds of thousands of lines has to leave room for a
// question to it. What a line takes beside its text is bounded, and an item is made
// when it is asked for.
func TestRoomOfALine(t *testing.T) { // not parallel: it measures the heap
	const lines, text, most = 20_000, 48, 375
	before := live()
	p := NewParser()
	entries := make([]Entry, 0, lines)
	for n := range lines {
		line := fmt.Appendf(nil, `{"id":%d,"ts":"2026-05-01T12:00:00Z","kind":"fact","content":"the switch of service %024d"}`, n+1, n)
		entries = append(entries, p.Line(line))
	}
	s := Fold(Lines{Log: "desk-1", Own: true, Entries: entries})
	each := (live() - before) / lines
	t.Logf("%d bytes a line", each)
	if each > most+text {
		t.Errorf("a line takes %d bytes, want at most %d beside its text", each, most)
	}
	seen := 0
	for it := range s.Each(StatusActive) {
		if got := s.Item(s.Len() - 1 - seen); got != it {
			t.Fatalf("item %d: %+v, want %+v", seen, got, it)
		}
		seen++
	}
	if more := (live()-before)/lines - each; seen != lines || more > 8 {
		t.Errorf("%d items, and %d bytes each are kept", seen, more)
	}
	runtime.KeepAlive(s)
}
