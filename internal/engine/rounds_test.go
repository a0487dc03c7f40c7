package engine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/memory"
	"ken/internal/memory/logtest"
	"ken/internal/review"
)

// TestQueueDeleted: numbers of proposals that the memory rests on are spent, also
// after the queue's file was deleted: else what is suggested next would count as
// accepted, and nobody would be asked.
func TestQueueDeleted(t *testing.T) {
	t.Parallel()
	k, path := withQueue(t)
	k.proposed("1 new, 2 new", suggest("a"), suggest("b"))
	k.decided("p2", review.Yes)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	k.proposed("3 new", suggest("c"))
	k.waits("p3 c")
	k.decided("p3", review.No)
	k.waits()
	k.wants("1 b")
}

// TestQueueOfAnotherDevice: what another device of the person was suggested, and
// accepted there, has its number in a queue of its own.
func TestQueueOfAnotherDevice(t *testing.T) {
	t.Parallel()
	k, _ := withQueue(t)
	theirs := new(logtest.Memory)
	theirs.Insert(`{"id":1,"content":"let in elsewhere","origin":"model","by":"user","review":1}`)
	e := New(Options{Own: k.log, Replicas: []Replica{{Name: "desk-1111", Log: theirs}}, Mask: mask, Now: noon, Queue: k.queue}).As(typed)
	f := kit{Writer: e, t: t, log: k.log}
	f.proposed("1 new", suggest("b"))
	f.waits("p1 b")
	f.decided("p1", review.Yes)
	f.waits()
	f.wants("1 b; desk-1111/1 let in elsewhere")
}

// TestDecideAll: answers that are given together are written together, and one that
// cannot be followed keeps no other from it.
func TestDecideAll(t *testing.T) {
	t.Parallel()
	k, path := withQueue(t, `{"id":1,"content":"mine"}`, `{"id":2,"content":"line","origin":"tool"}`, `{"id":3,"content":"another","origin":"tool"}`)
	k.proposed("1 new, 2 new, 3 new, 4 new, 5 new", suggest("a"), suggest("b"), suggest("c"),
		Suggestion{Record: memory.Record{Kind: memory.KindForget, Target: memory.Num(1), Origin: memory.OriginTool}}, suggest("d"))
	k.decided("p5", review.No)
	hidden, text := "say "+spell, "B"
	yes := func(ref string) Answer { return Answer{Ref: ref, Verdict: review.Yes} }
	out, err := k.DecideAll(t.Context(),
		yes("p1"), Answer{Ref: "p2", Verdict: review.Yes, Content: &text}, Answer{Ref: "p3", Verdict: review.Yes, Content: &hidden},
		yes("p4"), yes("p5"), yes("p1"), yes("p9"), yes("2"), Answer{Ref: "3", Verdict: review.No}, Answer{Ref: "p3", Verdict: review.Later})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, o := range out {
		switch {
		case errors.Is(o.Err, review.ErrDecided):
			got = append(got, "decided")
		case errors.Is(o.Err, review.ErrNotWaiting):
			got = append(got, "unknown")
		case o.Err != nil:
			got = append(got, "refused")
		default:
			got = append(got, refs(o.Receipt))
		}
	}
	if want := "4|5|refused|6|decided|decided|unknown|7 8|9|decided"; strings.Join(got, "|") != want {
		t.Errorf("%s, want %s", strings.Join(got, "|"), want)
	}
	k.wants("7 line; 5 B; 4 a")
	k.waits("p3 c")
	if b, err := os.ReadFile(path); err != nil || strings.Count(string(b), `"wrote"`) != 3 {
		t.Errorf("%v\n%s", err, b)
	}
	// Answers to what was answered meanwhile write nothing.
	out, err = k.DecideAll(t.Context(), yes("p1"), yes("2"))
	if err != nil || !errors.Is(out[0].Err, review.ErrDecided) || !errors.Is(out[1].Err, review.ErrNotWaiting) {
		t.Errorf("%v %v", out, err)
	}
}

// TestDecideMany: a queue of ten thousand is answered by one append to each file,
// in a time that its length does not make unbearable.
func TestDecideMany(t *testing.T) {
	t.Parallel()
	const many = 10_000
	h, dir := house{t}, t.TempDir()
	path := filepath.Join(dir, "review.jsonl")
	e := h.open(dir)
	e.queue = &review.Log{Path: path, Dir: dir, Now: noon}
	list, answers := make([]Suggestion, many), make([]Answer, many)
	for i := range list {
		list[i] = suggest(fmt.Sprint("idea ", i))
		answers[i] = Answer{Ref: fmt.Sprint("p", i+1), Verdict: review.Yes}
	}
	if _, err := e.Propose(t.Context(), list...); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	out, err := e.DecideAll(t.Context(), answers...)
	if err != nil || len(out) != many {
		t.Fatal(len(out), err)
	}
	if d := time.Since(start); d > time.Minute { // it is well below a second
		t.Errorf("%v for %d answers", d, many)
	}
	if s, err := e.State(t.Context()); err != nil || s.Len() != many {
		t.Errorf("%d items, %v", s.Len(), err)
	}
	if pending, _, _, err := e.Queue(t.Context()); err != nil || len(pending) > 0 {
		t.Errorf("%d wait, %v", len(pending), err)
	}
	if b, err := os.ReadFile(path); err != nil || strings.Count(string(b), "\n") != 2*many {
		t.Errorf("%v, %d lines", err, strings.Count(string(b), "\n"))
	}
}

// TestQueueByHand: whatever stands in the queue's file, a yes writes what may be
// stored: clean, masked, and never an erasing.
func TestQueueByHand(t *testing.T) {
	t.Parallel()
	k, path := withQueue(t, `{"id":1,"content":"mine"}`)
	text := `{"id":1,"kind":"proposal","of":"change","record":{"kind":"erased","target":1},"origin":"tool"}
{"id":2,"kind":"proposal","of":"change","record":{"kind":"undo","target":1},"origin":"tool"}
{"id":3,"kind":"proposal","of":"memory","record":{"kind":"fact","content":"a\u001b[2J\u202eb ` + spell + `","key":"k\nl","by":"user","review":9,"id":77},"origin":"agent:x\nyes"}
{"id":4,"kind":"proposal","of":"memory","record":{"kind":"fact","content":"takes a later place","supersedes":[1,99]},"origin":"tool"}
{"id":5,"kind":"proposal","of":"memory","record":{"kind":"fact","content":"\u001b[2J"},"origin":"tool"}
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	pending, _, problems, err := k.Queue(t.Context())
	if err != nil || len(pending) != 3 || len(problems) != 2 || !strings.Contains(problems[0].Err.Error(), "erased is nothing that can be suggested") {
		t.Fatal(len(pending), problems, err)
	}
	for _, ref := range []string{"p1", "p2"} {
		if _, err := k.Decide(t.Context(), ref, Answer{Verdict: review.Yes}); !errors.Is(err, review.ErrNotWaiting) {
			t.Errorf("%s: %v", ref, err)
		}
	}
	k.decided("p3", review.Yes)
	k.decided("p4", review.Yes)
	if _, err := k.Decide(t.Context(), "p5", Answer{Verdict: review.Yes}); !errors.Is(err, ErrEmpty) {
		t.Errorf("nothing: %v", err)
	}
	ts := `,"ts":"2026-11-21T12:00:00Z"`
	k.lines(`{"id":1,"content":"mine"}`,
		`{"id":2`+ts+`,"kind":"fact","content":"ab [masked:spell:0123]","key":"k l","origin":"agent:x yes","by":"user","review":3}`,
		`{"id":3`+ts+`,"kind":"fact","content":"takes a later place","origin":"tool","by":"user","review":4,"supersedes":1}`)
}

// TestNothingTakesALaterPlace: what is suggested in the place of a memory names one
// that is there.
func TestNothingTakesALaterPlace(t *testing.T) {
	t.Parallel()
	k, _ := withQueue(t, `{"id":1,"content":"a"}`)
	with := func(ids ...memory.ID) Suggestion {
		g := suggest("b")
		g.Record.Detail = &memory.Detail{Supersedes: ids}
		return g
	}
	if _, err := k.Propose(t.Context(), with(memory.Num(1), memory.Num(2))); !errors.Is(err, ErrNotActive) {
		t.Errorf("%v", err)
	}
	k.proposed("1 new", with(memory.Num(1)))
	for _, kind := range []memory.Kind{memory.KindErased, memory.KindUndo} {
		if _, err := k.Propose(t.Context(), Suggestion{Record: memory.Record{Kind: kind, Target: memory.Num(1)}}); err == nil {
			t.Errorf("%s was proposed", kind)
		}
	}
}
