package asof_test

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"ken/internal/memory"
	"ken/internal/memory/asof"
)

// TestRoomOfAListing: a list of hundreds of thousands of items takes some bytes for each,
// in whatever order they were stated.
func TestRoomOfAListing(t *testing.T) { // not parallel: it measures the heap
	const items, most = 20_000, 24
	live := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	for _, step := range []time.Duration{time.Second, -time.Second} {
		p := memory.NewParser()
		entries := make([]memory.Entry, 0, items)
		for n := range items {
			ts := day(20).Add(time.Duration(n) * step).Format(time.RFC3339)
			entries = append(entries, p.Line(fmt.Appendf(nil, `{"id":%d,"ts":"%s","kind":"fact","content":"tea"}`, n+1, ts)))
		}
		s := memory.Fold(memory.Lines{Log: "desk-1", Own: true, Entries: entries})
		before := live()
		l := asof.List(s, day(30))
		if each := (live() - before) / items; each > most || l.Len() != items {
			t.Errorf("%d items of %d bytes each, want %d of at most %d", l.Len(), each, items, most)
		}
		sorted := slices.IsSortedFunc(slices.Collect(l.Each()), func(a, b asof.Standing) int { return b.Record.Time.Compare(a.Record.Time) })
		if !sorted {
			t.Errorf("steps of %v: not newest first", step)
		}
		l.Keep(func(it asof.Standing) bool { return it.ID.N%2 == 0 })
		for n := range l.Len() {
			if it := l.Item(n); it.ID.N%2 != 0 || it.Status != "active" {
				t.Fatalf("item %d is %+v", n, it)
			}
		}
		if l.Len() != items/2 {
			t.Errorf("%d of %d are kept", l.Len(), items)
		}
		runtime.KeepAlive(s)
	}
}
