package index

import (
	"testing"
	"time"
)

// TestKnown: a row without what its text says keeps nothing, and says the same.
func TestKnown(t *testing.T) {
	t.Parallel()
	d := Document{In: Memory, Kind: "fact", Scope: "user", Content: "we met Anna on 3 May 2026", Pinned: true, Importance: 7}
	c := ScanOf(1, func(int32) Document { return d })
	var room Row
	got := *c.Rows.Known(0, &room)
	if c.Rows.ones[0].Load() != nil {
		t.Error("the whole row was read")
	}
	want := *c.Rows.At(0)
	if want.Words == 0 || want.Flags&When == 0 || want.Days == got.Days {
		t.Errorf("%+v says nothing of its text", want)
	}
	want.Words, want.Days, want.Flags = 0, got.Days, want.Flags&^(Question|When|Lasting|Where|Named)
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if again := c.Rows.Known(0, &room); again.Words == 0 {
		t.Error("what was read is not given")
	}
}

// TestCursorReadsNoText: who goes through all rows is given what stands beside the texts, and none is read for it: at the
// beginning of every assistant all of a memory is gone through.
func TestCursorReadsNoText(t *testing.T) {
	t.Parallel()
	docs := []Document{
		{In: Memory, Kind: "fact", Scope: "user", Content: "we met Anna on 3 May 2026", Time: time.Unix(1_700_000_000, 0), Pinned: true},
		{In: Memory, Kind: "preference", Scope: "dir:/x", Content: "is it always so?", Time: time.Unix(1_600_000_000, 0), Archived: true},
		{In: Sessions, Session: "s", Speaker: "user", Content: "yesterday at the harbour", Time: time.Unix(1_500_000_000, 0)},
	}
	c := ScanOf(len(docs), func(doc int32) Document { return docs[doc] })
	for _, standing := range []bool{false, true} {
		n := 0
		next := c.Rows.Cursor(standing)
		for doc, row := next(); row != nil; doc, row = next() {
			got, want := *row, *c.Rows.At(doc)
			if got.Words != 0 {
				t.Errorf("document %d was read: %+v", doc, got)
			}
			want.Flags &^= Question | When | Lasting | Where | Named
			if got.Flags != want.Flags || got.Scope != want.Scope || got.Kind != want.Kind || got.Session != want.Session || got.Time != want.Time {
				t.Errorf("document %d: %+v, want %+v", doc, got, want)
			}
			n++
		}
		if n != len(docs) {
			t.Errorf("%d rows", n)
		}
	}
}
