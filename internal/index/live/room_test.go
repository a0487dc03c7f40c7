package live

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"ken/internal/memory"
)

// TestRoomOfAnItem: what a question to a memory without an index takes beside the
// memory is bounded, where each item has a word that no other one has.
func TestRoomOfAnItem(t *testing.T) { // not parallel: it measures the heap
	const items, most = 20_000, 150
	live := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	p := memory.NewParser()
	var entries []memory.Entry
	for n := range items {
		line := fmt.Appendf(nil, `{"id":%d,"ts":"2026-05-01T12:00:00Z","kind":"fact","content":"the switch of service %d"}`, n+1, n+1)
		entries = append(entries, p.Line(line))
	}
	s := memory.Fold(memory.Lines{Log: "desk-1", Own: true, Entries: entries})
	before := live()
	m := FromState(s, time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC))
	each := (live() - before) / items
	t.Logf("%d bytes an item", each)
	if each > most {
		t.Errorf("an item takes %d bytes beside its line, want at most %d", each, most)
	}
	runtime.KeepAlive(m)
	runtime.KeepAlive(s)
}
