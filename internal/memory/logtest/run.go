package logtest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ken/internal/memory"
)

// Hooks says how a test gets at the logs of an implementation.
type Hooks struct {
	// Open returns a new empty log.
	Open func(t *testing.T) memory.Log
	// Second returns another handle on the log behind l, as another process
	// would have it; nil: l itself is used.
	Second func(t *testing.T, l memory.Log) memory.Log
	// Insert puts a line at the end of the log as a person would, whatever it
	// is; nil: the log can hold nothing but records.
	Insert func(t *testing.T, l memory.Log, line string)
}

// Run tests that the logs that open returns, each new and empty, do what
// memory.Log promises.
func Run(t *testing.T, open func(t *testing.T) memory.Log) {
	t.Helper()
	RunHooks(t, Hooks{Open: open})
}

// RunHooks is Run for an implementation whose logs have several handles, or can
// hold lines that are no records.
func RunHooks(t *testing.T, h Hooks) {
	t.Helper()
	if h.Second == nil {
		h.Second = func(_ *testing.T, l memory.Log) memory.Log { return l }
	}
	tests := []struct {
		name string
		run  func(t *testing.T, h Hooks)
	}{
		{"Empty", testEmpty},
		{"RoundTrip", testRoundTrip},
		{"Resume", testResume},
		{"LaterEntries", testLater},
		{"PlanFails", testPlanFails},
		{"PlanWritesNothing", testPlanWritesNothing},
		{"SpentNumber", testSpentNumber},
		{"Stale", testStale},
		{"Cancelled", testCancelled},
		{"Writers", testWriters},
		{"Tip", testTip},
		{"UndoSpendsNumbers", testUndo},
		{"Erase", testErase},
		{"EraseEdits", testEraseEdits},
		{"EraseAgain", testEraseAgain},
		{"EraseOtherLog", testEraseOther},
	}
	if h.Insert != nil {
		tests = append(tests, []struct {
			name string
			run  func(t *testing.T, h Hooks)
		}{
			{"BadLines", testBadLines},
			{"EraseBadLines", testEraseBadLines},
			{"EraseHashNamed", testEraseHashNamed},
		}...)
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { test.run(t, h) })
	}
}

// when is a time for records; the suite reads no clock.
func when(n int64) time.Time { return time.Date(2026, 5, 13, 19, 0, int(n), 0, time.UTC) }

func fact(n int64, text string) memory.Record {
	return memory.Record{ID: memory.Num(n), Time: when(n), Kind: memory.KindFact, Content: text}
}

// read returns the records behind after, the lines that could not be read, and
// the position behind the last line.
func read(t *testing.T, l memory.Log, after memory.Cursor) (recs []memory.Record, bad []*memory.LineError, end memory.Cursor) {
	t.Helper()
	end = after
	for e, err := range l.Records(t.Context(), after) {
		var le *memory.LineError
		if err != nil && !errors.As(err, &le) {
			t.Fatalf("Records(%q): %v", after, err)
		}
		if (e.Bad != nil) != (err != nil) || e.Bad != nil && e.Bad != le {
			t.Errorf("entry with Bad = %v came with error %v", e.Bad, err)
		}
		if e.At == "" || e.At == end {
			t.Errorf("entry %+v has the position %q, which is not behind %q", e, e.At, end)
		}
		end = e.At
		switch {
		case e.Bad != nil:
			bad = append(bad, e.Bad)
		case e.Meta == nil:
			recs = append(recs, *e.Record)
			if e.Sum == 0 {
				t.Errorf("entry of record %v has no hash", e.Record.ID)
			}
		}
	}
	return recs, bad, end
}

// add appends records behind at and fails the test if it cannot.
func add(t *testing.T, l memory.Log, at memory.Cursor, recs ...memory.Record) memory.Cursor {
	t.Helper()
	end, err := l.Append(t.Context(), at, func([]memory.Entry) ([]memory.Record, error) { return recs, nil })
	if err != nil {
		t.Fatalf("Append(%q): %v", at, err)
	}
	return end
}

func wantRecords(t *testing.T, l memory.Log, want ...memory.Record) {
	t.Helper()
	got, bad, _ := read(t, l, "")
	if len(bad) > 0 {
		t.Errorf("lines that cannot be read: %v", bad)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
}

func testEmpty(t *testing.T, h Hooks) {
	l := h.Open(t)
	wantRecords(t, l)
	end := add(t, l, "")
	wantRecords(t, l)
	if _, _, after := read(t, l, end); after != end {
		t.Errorf("an append of nothing led to %q, from which a read leads to %q", end, after)
	}
}

func testRoundTrip(t *testing.T, h Hooks) {
	l := h.Open(t)
	want := []memory.Record{
		fact(1, "plain"),
		{
			ID: memory.Num(2), Time: when(2), Kind: memory.KindRule, Content: "two\nlines <&> \u2028 \"quoted\" \x7f é 日本",
			Key: "k", Scope: "repo:example.org/a/b", Tags: []string{"x", "y z"},
			Source: &memory.Source{Session: "s", Turn: 3, Agent: "a", Channel: "mcp", File: "~/notes.md", Digest: strings.Repeat("0f", 32)},
			Origin: "agent:x", By: "user", Review: 7, Importance: 9, Pinned: true,
			Detail: &memory.Detail{
				Phase: memory.PhaseFluid, Tier: memory.TierArchive, Expires: when(50), ValidFrom: when(10), ValidTo: when(40),
				Supersedes: []memory.ID{memory.Num(1)}, Cites: []memory.ID{memory.Num(1), {Log: "desk-0001", N: 4}},
				Subtype: "meta_policy", Match: []string{"rm", "*"}, Unless: "-i", Raise: "danger",
				Extra: []memory.Field{{Name: "novel", Value: []byte(`{"a":[1,2,{}]}`)}},
			},
		},
		{ID: memory.Num(3), Time: when(3), Kind: memory.KindForget, Detail: &memory.Detail{Targets: []memory.ID{memory.Num(1), {Log: "desk-0001", N: 2}}, Reason: "old"}},
		{ID: memory.Num(4), Time: when(4), Kind: memory.KindEdit, Target: memory.Num(2), Content: "new"},
		{ID: memory.Num(5), Time: when(5), Kind: "later_kind", Content: "of a later version"},
	}
	add(t, l, "", want...)
	wantRecords(t, l, want...)
	wantRecords(t, h.Second(t, l), want...)
	wantRecords(t, l, want...) // reading changes nothing
}

func testResume(t *testing.T, h Hooks) {
	l := h.Open(t)
	var at memory.Cursor
	ends := []memory.Cursor{}
	var want []memory.Record
	for n := int64(1); n <= 6; n++ {
		want = append(want, fact(n, fmt.Sprintf("fact %d", n)))
		at = add(t, l, at, want[n-1])
		ends = append(ends, at)
	}
	for i, end := range ends {
		got, _, last := read(t, l, end)
		if diff := cmp.Diff(want[i+1:], got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("after append %d (-want +got):\n%s", i+1, diff)
		}
		if i < len(ends)-1 && last != ends[len(ends)-1] {
			t.Errorf("after append %d a read leads to %q, the last append to %q", i+1, last, ends[len(ends)-1])
		}
	}
	for e, err := range l.Records(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		if e.Record.ID.N == 3 {
			got, _, _ := read(t, l, e.At)
			if len(got) != 3 {
				t.Errorf("%d records behind the third of six", len(got))
			}
			break // a read may end early
		}
	}
}

func testLater(t *testing.T, h Hooks) {
	one := h.Open(t)
	two := h.Second(t, one)
	at := add(t, one, "", fact(1, "first"))
	add(t, two, at, fact(2, "second"), fact(3, "third"))
	var later []memory.Record
	end, err := one.Append(t.Context(), at, func(list []memory.Entry) ([]memory.Record, error) {
		later = nil
		for _, e := range list {
			later = append(later, *e.Record)
		}
		return []memory.Record{fact(4, "fourth")}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]memory.Record{fact(2, "second"), fact(3, "third")}, later); diff != "" {
		t.Errorf("plan was handed (-want +got):\n%s", diff)
	}
	if recs, _, _ := read(t, two, end); len(recs) != 0 {
		t.Errorf("behind the end of the append: %v", recs)
	}
	wantRecords(t, two, fact(1, "first"), fact(2, "second"), fact(3, "third"), fact(4, "fourth"))
}

func testPlanFails(t *testing.T, h Hooks) {
	l := h.Open(t)
	add(t, l, "", fact(1, "one"))
	no := errors.New("no")
	_, err := l.Append(t.Context(), "", func([]memory.Entry) ([]memory.Record, error) {
		return []memory.Record{fact(2, "two")}, no
	})
	if !errors.Is(err, no) {
		t.Errorf("Append: %v, want the error of plan", err)
	}
	wantRecords(t, l, fact(1, "one"))
}

func testPlanWritesNothing(t *testing.T, h Hooks) {
	l := h.Open(t)
	at := add(t, l, "", fact(1, "one"))
	if end := add(t, l, ""); end != at {
		t.Errorf("an append of nothing ended at %q, the one before at %q", end, at)
	}
	wantRecords(t, l, fact(1, "one"))
}

func testSpentNumber(t *testing.T, h Hooks) {
	l := h.Open(t)
	at := add(t, l, "", fact(7, "seven"))
	for _, recs := range [][]memory.Record{{fact(7, "again")}, {fact(3, "below")}, {fact(8, "a"), fact(8, "b")}, {{Kind: memory.KindFact, Content: "none"}}} {
		for _, from := range []memory.Cursor{"", at} {
			_, err := l.Append(t.Context(), from, func([]memory.Entry) ([]memory.Record, error) { return recs, nil })
			if err == nil {
				t.Errorf("Append of %v behind %q: no error", recs[0].ID, from)
			}
		}
	}
	wantRecords(t, l, fact(7, "seven"))
}

func testStale(t *testing.T, h Hooks) {
	other := h.Open(t)
	elsewhere := add(t, other, "", fact(1, "another log"), fact(2, "longer"), fact(3, "than the one"))
	l := h.Open(t)
	add(t, l, "", fact(1, "one"))
	for _, stale := range []memory.Cursor{elsewhere, "no cursor at all"} {
		wantStale(t, l, stale)
	}
	wantRecords(t, l, fact(1, "one"))
}

// wantStale checks that l takes the cursor for stale.
func wantStale(t *testing.T, l memory.Log, at memory.Cursor) {
	t.Helper()
	n := 0
	for e, err := range l.Records(t.Context(), at) {
		if n++; n > 1 || !errors.Is(err, memory.ErrStale) {
			t.Errorf("Records(%q) yields %+v, %v; want ErrStale alone", at, e, err)
		}
	}
	if n == 0 {
		t.Errorf("Records(%q) yields nothing; want ErrStale", at)
	}
	_, err := l.Append(t.Context(), at, func([]memory.Entry) ([]memory.Record, error) {
		t.Errorf("Append(%q) calls plan", at)
		return nil, nil
	})
	if !errors.Is(err, memory.ErrStale) {
		t.Errorf("Append(%q): %v, want ErrStale", at, err)
	}
}

func testCancelled(t *testing.T, h Hooks) {
	l := h.Open(t)
	add(t, l, "", fact(1, "one"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := l.Append(ctx, "", func([]memory.Entry) ([]memory.Record, error) { return []memory.Record{fact(2, "two")}, nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Append: %v, want context.Canceled", err)
	}
	for e, err := range l.Records(ctx, "") {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("Records yields %+v, %v; want context.Canceled", e, err)
		}
	}
	wantRecords(t, l, fact(1, "one"))
}

func testWriters(t *testing.T, h Hooks) {
	const writers, each = 4, 25
	l := h.Open(t)
	var wg sync.WaitGroup
	for w := range writers {
		mine := h.Second(t, l)
		wg.Go(func() {
			var at memory.Cursor
			var largest int64
			for i := range each {
				var err error
				at, err = mine.Append(t.Context(), at, func(later []memory.Entry) ([]memory.Record, error) {
					n := largest
					for _, e := range later {
						n = max(n, e.MaxID())
					}
					largest = n + 1
					return []memory.Record{fact(n+1, fmt.Sprintf("%d of writer %d", i, w))}, nil
				})
				if err != nil {
					t.Errorf("writer %d: %v", w, err)
					return
				}
			}
		})
		wg.Go(func() {
			for range each {
				for _, err := range mine.Records(t.Context(), "") {
					if err != nil {
						t.Errorf("read beside the writers: %v", err)
						return
					}
				}
			}
		})
	}
	wg.Wait()
	recs, _, _ := read(t, l, "")
	if len(recs) != writers*each {
		t.Fatalf("%d records, want %d", len(recs), writers*each)
	}
	seen := map[string]bool{}
	for i, r := range recs {
		if r.ID.N != int64(i+1) {
			t.Errorf("record %d has the id %v", i+1, r.ID)
		}
		seen[r.Content] = true
	}
	if len(seen) != writers*each {
		t.Errorf("%d different records, want %d", len(seen), writers*each)
	}
}

func testTip(t *testing.T, h Hooks) {
	l := h.Open(t)
	tipper, ok := l.(memory.Tipper)
	if !ok {
		return // an optional ability
	}
	tip, err := tipper.Tip(t.Context())
	if err != nil || tip.At != "" || tip.MaxID != 0 {
		t.Errorf("Tip of an empty log = %+v, %v", tip, err)
	}
	at := add(t, l, "", fact(1, "one"), memory.Record{ID: memory.Num(2), Time: when(2), Kind: memory.KindForget, Detail: &memory.Detail{Targets: []memory.ID{memory.Num(1)}}})
	for _, handle := range []memory.Log{l, h.Second(t, l)} {
		same, ok := handle.(memory.Tipper)
		if !ok {
			t.Fatalf("%T is no Tipper, %T is", handle, l)
		}
		tip, err = same.Tip(t.Context())
		if err != nil || tip.At != at || tip.MaxID != 2 {
			t.Errorf("Tip = %+v, %v; want position %q, largest number 2", tip, err, at)
		}
	}
	add(t, h.Second(t, l), tip.At, fact(3, "three"))
	if tip, err = tipper.Tip(t.Context()); err != nil || tip.MaxID != 3 {
		t.Errorf("Tip = %+v, %v; want the largest number 3", tip, err)
	}
	if recs, _, _ := read(t, l, tip.At); len(recs) != 0 {
		t.Errorf("behind the tip: %v", recs)
	}
}

func testUndo(t *testing.T, h Hooks) {
	l := h.Open(t)
	undo := memory.Record{ID: memory.Num(3), Time: when(3), Kind: memory.KindUndo, Target: memory.Num(2)}
	at := add(t, l, "", fact(1, "one"), fact(2, "two"))
	at = add(t, l, at, undo)
	var largest int64
	_, err := l.Append(t.Context(), "", func(later []memory.Entry) ([]memory.Record, error) {
		for _, e := range later {
			largest = max(largest, e.MaxID())
		}
		return nil, nil
	})
	if err != nil || largest != 3 {
		t.Errorf("largest number after an undo = %d, %v; want 3", largest, err)
	}
	add(t, l, at, fact(4, "four"))
	wantRecords(t, l, fact(1, "one"), fact(2, "two"), undo, fact(4, "four"))
}

func erase(t *testing.T, l memory.Log, ids ...memory.ID) memory.Cursor {
	t.Helper()
	end, err := l.Erase(t.Context(), ids...)
	if err != nil {
		t.Fatalf("Erase(%v): %v", ids, err)
	}
	if recs, _, _ := read(t, l, end); len(recs) != 0 {
		t.Errorf("behind the end that Erase returned: %v", recs)
	}
	return end
}

// gone is the line that stands in the place of line n.
func gone(n int64) memory.Record { return memory.Record{ID: memory.Num(n), Kind: memory.KindErased} }

// wantNoText checks that no record of l holds text.
func wantNoText(t *testing.T, l memory.Log, text string) {
	t.Helper()
	recs, bad, _ := read(t, l, "")
	for _, r := range recs {
		if s := string(r.AppendJSON(nil)); strings.Contains(strings.ToLower(s), strings.ToLower(text)) {
			t.Errorf("%q is still there: %s", text, s)
		}
	}
	for _, b := range bad {
		t.Errorf("a line that cannot be read: %v", b)
	}
}

func testErase(t *testing.T, h Hooks) {
	l := h.Open(t)
	forget := memory.Record{ID: memory.Num(4), Time: when(4), Kind: memory.KindForget, Target: memory.Num(2), Detail: &memory.Detail{Reason: "the plum cake is a secret"}}
	at := add(t, l, "", fact(1, "one"), fact(2, "the plum cake"), fact(3, "three"), forget)
	end := erase(t, l, memory.Num(2))
	wantNoText(t, l, "plum")
	forget.Detail = nil
	wantRecords(t, l, fact(1, "one"), gone(2), fact(3, "three"), forget)
	wantStale(t, l, at)
	wantRecords(t, h.Second(t, l), fact(1, "one"), gone(2), fact(3, "three"), forget)
	add(t, l, end, fact(5, "five"))
	wantRecords(t, l, fact(1, "one"), gone(2), fact(3, "three"), forget, fact(5, "five"))
}

func testEraseEdits(t *testing.T, h Hooks) {
	l := h.Open(t)
	edit := func(n, target int64, text string) memory.Record {
		return memory.Record{ID: memory.Num(n), Time: when(n), Kind: memory.KindEdit, Target: memory.Num(target), Content: text}
	}
	undo := memory.Record{ID: memory.Num(6), Time: when(6), Kind: memory.KindUndo, Target: memory.Num(3), Detail: &memory.Detail{Reason: "plum was wrong"}}
	add(t, l, "", fact(1, "the plum cake"), fact(2, "two"), edit(3, 1, "the plum pie"), edit(4, 2, "kept"), edit(5, 1, "plum"), undo)
	erase(t, l, memory.Num(1))
	wantNoText(t, l, "plum")
	undo.Detail = nil
	wantRecords(t, l, gone(1), fact(2, "two"), gone(3), edit(4, 2, "kept"), gone(5), undo)
}

func testEraseAgain(t *testing.T, h Hooks) {
	l := h.Open(t)
	add(t, l, "", fact(1, "one"), fact(2, "two"))
	end := erase(t, l, memory.Num(2))
	if again := erase(t, l, memory.Num(2), memory.Num(9)); again != end {
		t.Errorf("erasing what is erased, and what never was, leads from %q to %q", end, again)
	}
	wantRecords(t, l, fact(1, "one"), gone(2))
	add(t, l, end, fact(3, "three")) // nothing has become stale
}

func testEraseOther(t *testing.T, h Hooks) {
	l := h.Open(t)
	theirs := memory.ID{Log: "desk-0001", N: 2}
	edit := memory.Record{ID: memory.Num(2), Time: when(2), Kind: memory.KindEdit, Target: theirs, Content: "the plum pie"}
	add(t, l, "", fact(1, "one"), edit)
	end := erase(t, l, theirs)
	wantNoText(t, l, "plum")
	recs, _, _ := read(t, l, "")
	last := recs[len(recs)-1]
	if last.Kind != memory.KindErased || last.Target != theirs || last.ID != memory.Num(3) || last.Content != "" {
		t.Errorf("the last line is %+v, want one that names %v as erased", last, theirs)
	}
	if again := erase(t, l, theirs); again != end {
		t.Errorf("erasing %v again leads from %q to %q", theirs, end, again)
	}
}

func testBadLines(t *testing.T, h Hooks) {
	l := h.Open(t)
	add(t, l, "", fact(1, "one"))
	h.Insert(t, l, `{"id":9,"kind":"fact","content":"cut o`)
	h.Insert(t, l, "\x00\x00\x00")
	h.Insert(t, l, string(fact(4, "typed").AppendJSON(nil)))
	recs, bad, end := read(t, l, "")
	if diff := cmp.Diff([]memory.Record{fact(1, "one"), fact(4, "typed")}, recs); diff != "" {
		t.Errorf("beside the bad lines (-want +got):\n%s", diff)
	}
	if len(bad) != 2 || bad[0].MaxID != 9 || bad[0].Cause == nil || bad[0].Line == bad[1].Line {
		t.Errorf("bad lines %+v", bad)
	}
	n := 0
	var largest int64
	after, err := l.Append(t.Context(), "", func(later []memory.Entry) ([]memory.Record, error) {
		n, largest = 0, 0
		for _, e := range later {
			largest = max(largest, e.MaxID())
			if e.Bad != nil {
				n++
			}
		}
		return []memory.Record{fact(largest+1, "ten")}, nil
	})
	if err != nil || n != 2 || largest != 9 {
		t.Errorf("plan was handed %d bad lines with the largest number %d, %v; want 2 with 9", n, largest, err)
	}
	if recs, _, last := read(t, l, end); len(recs) != 1 || last != after {
		t.Errorf("behind the bad lines: %v up to %q, want one up to %q", recs, last, after)
	}
}

func testEraseBadLines(t *testing.T, h Hooks) {
	l := h.Open(t)
	add(t, l, "", fact(1, "one"), fact(2, "the plum cake"))
	h.Insert(t, l, `{"id":8,"kind":"fact","content":"about the plum cake`)
	h.Insert(t, l, `<<<<<<< HEAD`)
	erase(t, l, memory.Num(2))
	recs, bad, _ := read(t, l, "")
	var largest int64
	for _, r := range recs {
		if s := string(r.AppendJSON(nil)); strings.Contains(s, "plum") {
			t.Errorf("still there: %s", s)
		}
		largest = max(largest, r.ID.N)
	}
	if len(bad) != 1 || len(recs) != 3 {
		t.Errorf("left are %v and bad lines %v; want the one bad line that says nothing of it", recs, bad)
	}
	if largest != 8 {
		t.Errorf("the largest number is %d; the bad line had used 8", largest)
	}
}

func testEraseHashNamed(t *testing.T, h Hooks) {
	l := h.Open(t)
	add(t, l, "", fact(1, "one"))
	line := `{"kind":"fact","content":"the plum cake"}`
	h.Insert(t, l, line)
	id := memory.HashID([]byte(line))
	erase(t, l, id)
	wantNoText(t, l, "plum")
	recs, _, _ := read(t, l, "")
	if len(recs) != 2 || recs[1].Kind != memory.KindErased || recs[1].Target != id {
		t.Errorf("records %+v; want one that names %v as erased", recs, id)
	}
}
