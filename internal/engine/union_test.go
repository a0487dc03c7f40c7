package engine

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/memory"
	"ken/internal/memory/logtest"
)

// TestReplicas: their items are there under their names; ours can change them;
// what they say of ours counts.
func TestReplicas(t *testing.T) {
	t.Parallel()
	own, desk, team := logtest.NewMemory("laptop-7f3a"), logtest.NewMemory("desk-0001"), logtest.NewMemory("team-1")
	own.Insert(`{"id":1,"ts":"2026-01-01T00:00:00Z","content":"ours"}`)
	desk.Insert(`{"id":1,"ts":"2026-01-02T00:00:00Z","content":"theirs"}`)
	team.Insert(`{"id":1,"ts":"2026-01-03T00:00:00Z","content":"anybody's"}`)
	team.Insert(`{"id":2,"kind":"forget","target":"laptop-7f3a/1"}`)
	k := kit{over(own, Replica{Name: "desk-0001", Log: desk}, Replica{Name: "team-1", Log: team, Ceiling: memory.OriginExternal}), t, own}
	k.wants("desk-0001/1 theirs; 1 ours")
	if w := k.state().Waiting(); len(w) != 1 || w[0].Ref() != "team-1/1" {
		t.Errorf("waiting: %+v", w)
	}
	k.did("2")(k.Forget(t.Context(), "", memory.ID{Log: "desk-0001", N: 1}))
	k.wants("1 ours")
	desk.Insert(`{"id":2,"kind":"forget","target":"laptop-7f3a/1"}`)
	k.wants("")
	k.did("3")(first(k.Undo(t.Context(), memory.ID{Log: "desk-0001", N: 2})))
	k.wants("1 ours")
	if diff := cmp.Diff([]string{
		`{"id":1,"ts":"2026-01-01T00:00:00Z","content":"ours"}`,
		`{"id":2,"ts":"2026-11-21T12:00:00Z","kind":"forget","target":"desk-0001/1"}`,
		`{"id":3,"ts":"2026-11-21T12:00:00Z","kind":"undo","target":"desk-0001/2"}`,
	}, own.Lines()); diff != "" {
		t.Error(diff)
	}
}

// TestNumbersThatReplicasKnow: a number of ours that only a replica still names
// is not given out again, whatever became of our file; a log that others write
// to has no say in it.
func TestNumbersThatReplicasKnow(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]func(e *Writer) (Receipt, error){
		"remember": func(e *Writer) (Receipt, error) { return e.Remember(t.Context(), Draft{Content: "new"}) },
		"forget":   func(e *Writer) (Receipt, error) { return e.Forget(t.Context(), "", memory.ID{Log: "desk-0001", N: 3}) },
	} {
		for _, meta := range []bool{true, false} {
			own, desk, team := logtest.NewMemory("laptop-7f3a"), logtest.NewMemory("desk-0001"), logtest.NewMemory("team-1")
			if meta {
				own.Insert(`{"meta":{"format":1,"log":"laptop-7f3a"}}`)
			}
			desk.Insert(`{"id":1,"kind":"forget","target":"laptop-7f3a/41"}`)
			desk.Insert(`{"id":2,"kind":"forget","targets":["laptop-7f3a/57",99]}`)
			desk.Insert(`{"id":3,"content":"x"}`)
			team.Insert(`{"id":1,"kind":"forget","target":"laptop-7f3a/9007199254740991"}`)
			e := over(own, Replica{Name: "desk-0001", Log: desk}, Replica{Name: "team-1", Log: team, Ceiling: memory.OriginExternal})
			if r, err := do(e); err != nil || refs(r) != "58" {
				t.Errorf("%s (meta line: %t): %s, %v; want 58", name, meta, refs(r), err)
			}
		}
	}
}

// A crowded log gets a line from somebody else before the first append.
type crowded struct {
	memory.Log // not a Tipper
	log        *logtest.Memory
	line       string
}

func (c *crowded) Append(ctx context.Context, at memory.Cursor, plan func([]memory.Entry) ([]memory.Record, error)) (memory.Cursor, error) {
	if c.line != "" {
		c.log.Insert(c.line)
		c.line = ""
	}
	return c.log.Append(ctx, at, plan)
}

// TestNamedMeanwhile: the log gets its name between being read and being written
// to.
func TestNamedMeanwhile(t *testing.T) {
	t.Parallel()
	own, desk := logtest.NewMemory("laptop-7f3a"), logtest.NewMemory("desk-0001")
	desk.Insert(`{"id":1,"kind":"forget","target":"laptop-7f3a/57"}`)
	desk.Insert(`{"id":2,"content":"x"}`)
	e := over(&crowded{own, own, `{"meta":{"format":1,"log":"laptop-7f3a"}}`}, Replica{Name: "desk-0001", Log: desk})
	if r, err := e.Forget(t.Context(), "", memory.ID{Log: "desk-0001", N: 2}); err != nil || refs(r) != "58" {
		t.Errorf("%s, %v; want 58", refs(r), err)
	}
}

func TestNoNumberLeft(t *testing.T) {
	t.Parallel()
	k := newKit(t, `{"id":9007199254740990,"content":"a"}`)
	k.did("9007199254740991")(k.Remember(t.Context(), Draft{Content: "b"}))
	for _, err := range []error{
		func() error { _, err := k.Remember(t.Context(), Draft{Content: "c"}); return err }(),
		func() error { _, err := k.Forget(t.Context(), "", memory.Num(memory.MaxID)); return err }(),
	} {
		if err == nil || !strings.Contains(err.Error(), "no larger one is left") {
			t.Error(err)
		}
	}
}

// A flaky log breaks off after some entries.
type flaky struct {
	*logtest.Memory
	after int // entries; negative: never
}

func (f *flaky) Records(ctx context.Context, at memory.Cursor) iter.Seq2[memory.Placed, error] {
	return func(yield func(memory.Placed, error) bool) {
		n := 0
		for e, err := range f.Memory.Records(ctx, at) {
			if n == f.after {
				yield(memory.Placed{}, errors.New("input/output error"))
				return
			}
			n++
			if !yield(e, err) {
				return
			}
		}
	}
}

// TestReplicaFault: a replica that cannot be read costs what it would have
// brought; half of it is not taken, since the other half may forget it.
func TestReplicaFault(t *testing.T) {
	t.Parallel()
	own := logtest.NewMemory("laptop-7f3a")
	own.Insert(`{"id":1,"ts":"2026-01-01T00:00:00Z","content":"ours"}`)
	desk := &flaky{logtest.NewMemory("desk-0001"), -1}
	desk.Insert(`{"id":1,"ts":"2026-01-02T00:00:00Z","content":"kept"}`)
	k := kit{over(own, Replica{Name: "desk-0001", Log: desk}), t, own}
	k.wants("desk-0001/1 kept; 1 ours")
	faulty := func(want string) {
		t.Helper()
		s, err := k.State(t.Context())
		if s == nil || err == nil || !strings.Contains(err.Error(), "read the replica desk-0001: input/output error") {
			t.Fatalf("%v, %v", s, err)
		}
		if got := texts(s); got != want {
			t.Errorf("active: %q, want %q", got, want)
		}
	}
	desk.Insert(`{"id":2,"ts":"2026-01-03T00:00:00Z","content":"a slip"}`)
	desk.Insert(`{"id":3,"kind":"forget","target":2}`)
	desk.after = 1 // the slip arrives, its tombstone does not
	faulty("desk-0001/1 kept; 1 ours")
	// Edited: it has to be read from the start, which fails half way.
	desk.Edit(func(l []string) []string { return append([]string{`{"id":9,"content":"first"}`}, l...) })
	faulty("desk-0001/1 kept; 1 ours")
	k.did("2")(k.Forget(t.Context(), "", memory.ID{Log: "desk-0001", N: 1}))
	k.did("3")(k.Remember(t.Context(), Draft{Content: "goes on"}))
	faulty("3 goes on; 1 ours")
	desk.after = -1
	k.wants("3 goes on; 1 ours; desk-0001/9 first")
}

// TestOwnFault: the own log that cannot be read is an error, and nothing that
// was read until then is half kept.
func TestOwnFault(t *testing.T) {
	t.Parallel()
	log := &flaky{logtest.NewMemory("laptop-7f3a"), 1}
	for n := range 3 {
		log.Insert(fmt.Sprintf(`{"id":%d,"content":"%d"}`, n+1, n+1))
	}
	e := over(log)
	for range 2 {
		if s, err := e.State(t.Context()); s != nil || err == nil || err.Error() != "read memory: input/output error" {
			t.Fatalf("%v, %v", s, err)
		}
	}
	if _, err := e.Forget(t.Context(), "", memory.Num(1)); err == nil || err.Error() != "read memory: input/output error" {
		t.Errorf("forget: %v", err)
	}
	log.after = -1
	k := kit{e, t, log.Memory}
	k.wants("3 3; 2 2; 1 1")
	broken := errors.New("stale file handle")
	log.Break(broken)
	for name, err := range map[string]error{
		"state":    func() error { _, err := e.State(t.Context()); return err }(),
		"remember": func() error { _, err := e.Remember(t.Context(), Draft{Content: "x"}); return err }(),
		"undo":     func() error { _, _, err := e.Undo(t.Context()); return err }(),
	} {
		if !errors.Is(err, broken) {
			t.Errorf("%s: %v", name, err)
		}
	}
	log.Break(nil)
	k.wants("3 3; 2 2; 1 1")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Remember(ctx, Draft{Content: "x"}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := e.State(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestRefusedWriteSeesOthers: what a write that was refused has read of others is
// in the next state.
func TestRefusedWriteSeesOthers(t *testing.T) {
	t.Parallel()
	k := newKit(t, `{"id":1,"content":"a"}`)
	k.wants("1 a")
	k.log.Insert(`{"id":2,"content":"b"}`)
	if _, err := k.Forget(t.Context(), "", memory.Num(9)); !errors.Is(err, ErrNotActive) {
		t.Fatal(err)
	}
	k.wants("2 b; 1 a")
}

// TestTwoEngines: interleaved writes of two engines on one log; each sees the
// other's at its next look.
func TestTwoEngines(t *testing.T) {
	t.Parallel()
	log := logtest.NewMemory("laptop-7f3a")
	a, b := kit{over(log), t, log}, kit{over(log), t, log}
	ctx := t.Context()
	a.did("1")(a.Remember(ctx, Draft{Content: "a"}))
	b.did("2")(b.Remember(ctx, Draft{Content: "b"}))
	b.wants("2 b; 1 a")
	a.did("3")(a.Forget(ctx, "", memory.Num(2)))
	if _, err := b.Forget(ctx, "", memory.Num(2)); !errors.Is(err, ErrNotActive) {
		t.Error(err)
	}
	b.did("4")(b.Remember(ctx, Draft{Content: "d"}))
	a.did("5")(a.Edit(ctx, memory.Num(4), Edit{Content: ptr("D")}))
	b.wants("4 D; 1 a")
	_, undone, err := b.Undo(ctx)
	if err != nil || undone[0].ID != memory.Num(5) {
		t.Errorf("%+v, %v", undone, err)
	}
	a.wants("4 d; 1 a")
}

func ptr[T any](v T) *T { return &v }

// TestManyWriters: numbers are given out once, and a state that was had before
// does not change while others write (run with -race).
func TestManyWriters(t *testing.T) {
	t.Parallel()
	log := logtest.NewMemory("laptop-7f3a")
	engines := []*Writer{over(log), over(log)}
	const writers, each = 4, 25
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			e := engines[w%2]
			for i := range each {
				r, err := e.Remember(t.Context(), Draft{Content: fmt.Sprintf("%d of %d", i, w)})
				if err == nil && i%5 == 0 {
					_, err = e.Forget(t.Context(), "", r.IDs...)
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
		wg.Go(func() {
			e := engines[w%2]
			var kept []*memory.State
			var seen [][]memory.Item
			for range each {
				s, err := e.State(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				kept, seen = append(kept, s), append(seen, s.Items())
			}
			for i, s := range kept {
				if !cmp.Equal(seen[i], s.Items()) {
					t.Errorf("a state changed")
				}
			}
		})
	}
	wg.Wait()
	k := kit{engines[0], t, log}
	s := k.state()
	if want := writers * each * 4 / 5; s.Len() != want || s.MaxID("") != writers*each*6/5 || len(s.Problems()) != 0 {
		t.Errorf("%d items of %d, ids up to %d, %v", s.Len(), want, s.MaxID(""), s.Problems())
	}
}

// TestHandEdits: what a person does to the file between two looks.
func TestHandEdits(t *testing.T) {
	t.Parallel()
	k := newKit(t, `{"id":1,"content":"a"}`, `{"id":2,"content":"b"}`)
	k.wants("2 b; 1 a")
	k.log.Edit(func(l []string) []string { return l[1:] })
	k.wants("2 b")
	k.log.Edit(func([]string) []string {
		return []string{`{"id":5,"kind":"forget","target":2}`, `{"id":2,"content":"B"}`, `no JSON, "id":30`, `{"content":"by hand"}`}
	})
	k.wants("h" + memory.HashID([]byte(`{"content":"by hand"}`)).Hash.String() + " by hand")
	if p := k.state().Problems(); len(p) != 1 || !p[0].Unreadable || p[0].Line != 3 {
		t.Errorf("%+v", p)
	}
	// A number on a damaged line is spent.
	k.did("31")(k.Remember(t.Context(), Draft{Content: "c"}))
	k.log.Edit(func([]string) []string { return nil })
	k.wants("")
	k.did("1")(k.Remember(t.Context(), Draft{Content: "d"}))
	k.wants("1 d")
}

// A restless log is edited by a person before each append.
type restless struct {
	*logtest.Memory
	edits int // that are left; negative: for ever
	tries int
}

func (r *restless) Append(ctx context.Context, at memory.Cursor, plan func([]memory.Entry) ([]memory.Record, error)) (memory.Cursor, error) {
	r.tries++
	if r.edits != 0 {
		r.edits--
		r.Edit(func(l []string) []string {
			return append([]string{fmt.Sprintf(`{"id":%d,"content":"edit"}`, 10+r.tries)}, l...)
		})
	}
	return r.Memory.Append(ctx, at, plan)
}

// TestEditedWhileWriting: a write begins again when the file was edited under it,
// and gives up at some time.
func TestEditedWhileWriting(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]func(*Writer) (Receipt, error){
		"remember": func(e *Writer) (Receipt, error) { return e.Remember(t.Context(), Draft{Content: "x"}) },
		"forget":   func(e *Writer) (Receipt, error) { return e.Forget(t.Context(), "", memory.Num(1)) },
		"undo":     func(e *Writer) (Receipt, error) { return first(e.Undo(t.Context(), memory.Num(1))) },
	} {
		log := &restless{Memory: logtest.NewMemory("laptop-7f3a"), edits: 3}
		log.Insert(`{"id":1,"content":"a"}`)
		e := over(log)
		if r, err := do(e); err != nil || refs(r) != "14" || log.tries != 4 {
			t.Errorf("%s: %s, %v after %d tries", name, refs(r), err, log.tries)
		}
		log.edits, log.tries = -1, 0
		before := len(log.Lines())
		if r, err := do(e); !errors.Is(err, memory.ErrStale) && !errors.Is(err, ErrNotActive) || r.IDs != nil {
			t.Errorf("%s: %s, %v", name, refs(r), err)
		}
		if log.tries > maxTries || len(log.Lines()) != before+log.tries {
			t.Errorf("%s: %d tries, %d lines more", name, log.tries, len(log.Lines())-before)
		}
	}
}

// TestF28WritesAfter: what is changed here after another device says so, and its
// clock, ahead by years, does not win for ever; nor does it keep a key.
func TestF28WritesAfter(t *testing.T) {
	t.Parallel()
	own, desk := logtest.NewMemory("laptop-7f3a"), logtest.NewMemory("desk-0001")
	own.Insert(`{"id":1,"ts":"2026-01-01T00:00:00Z","content":"ours"}`)
	desk.Insert(`{"id":1,"ts":"2036-01-02T00:00:00Z","content":"vim","key":"editor"}`)
	desk.Insert(`{"id":2,"ts":"2026-01-02T00:00:00Z","kind":"edit","target":"laptop-7f3a/1","content":"theirs"}`)
	k := kit{over(own, Replica{Name: "desk-0001", Log: desk}), t, own}
	k.wants("desk-0001/1 vim; 1 theirs")
	text := "ours again"
	k.did("2")(k.Edit(t.Context(), memory.Num(1), Edit{Content: &text}))
	k.wants("desk-0001/1 vim; 1 ours again")
	text2 := "and again"
	k.did("3")(k.Edit(t.Context(), memory.Num(1), Edit{Content: &text2}))
	k.did("4")(k.Remember(t.Context(), Draft{Content: "emacs", Key: "editor"}))
	k.wants("4 emacs; 1 and again")
	if diff := cmp.Diff([]string{
		`{"id":1,"ts":"2026-01-01T00:00:00Z","content":"ours"}`,
		`{"id":2,"ts":"2026-11-21T12:00:00Z","kind":"edit","target":1,"after":"desk-0001/2","content":"ours again"}`,
		`{"id":3,"ts":"2026-11-21T12:00:00Z","kind":"edit","target":1,"content":"and again"}`,
		`{"id":4,"ts":"2026-11-21T12:00:00Z","kind":"fact","content":"emacs","key":"editor","supersedes":"desk-0001/1"}`,
	}, own.Lines()); diff != "" {
		t.Error(diff)
	}
}
