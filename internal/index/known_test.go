package index

import "testing"

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
