package engine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"ken/internal/memory"
	"ken/internal/memory/logtest"
	"ken/internal/review"
)

// withQueue returns a kit that has a review queue, whose file is at path.
func withQueue(t *testing.T, lines ...string) (k kit, path string) {
	t.Helper()
	k = newKit(t, lines...)
	dir := t.TempDir()
	path = filepath.Join(dir, "review.jsonl")
	k.queue = &review.Log{Path: path, Dir: dir, Now: noon}
	return k, path
}

func suggest(text string) Suggestion {
	return Suggestion{Record: memory.Record{Content: text, Origin: memory.OriginModel}, Why: "it was said"}
}

// waits are the references and texts that wait.
func (k kit) waits(want ...string) {
	k.t.Helper()
	pending, _, problems, err := k.Queue(k.t.Context())
	if err != nil || len(problems) > 0 {
		k.t.Fatal(err, problems)
	}
	var got []string
	for _, w := range pending {
		got = append(got, w.Ref+" "+w.Proposal.Record.Content)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		k.t.Helper()
		k.t.Errorf("waiting: %q, want %q", got, want)
	}
}

func (k kit) proposed(want string, list ...Suggestion) {
	k.t.Helper()
	out, err := k.Propose(k.t.Context(), list...)
	if err != nil {
		k.t.Fatal(err)
	}
	var got []string
	for _, p := range out {
		state := p.Known
		if p.New {
			state = "new"
		}
		got = append(got, fmt.Sprint(p.ID, " ", state))
	}
	if strings.Join(got, ", ") != want {
		k.t.Errorf("proposed: %s, want %s", strings.Join(got, ", "), want)
	}
}

func (k kit) decided(ref string, v review.Verdict) Receipt {
	k.t.Helper()
	r, err := k.Decide(k.t.Context(), ref, Answer{Verdict: v})
	if err != nil {
		k.t.Fatal(err)
	}
	return r
}

// TestProposalsAreNotMemory: whatever is proposed, nothing is remembered before a
// yes, and then it says where it comes from.
func TestProposalsAreNotMemory(t *testing.T) {
	t.Parallel()
	k, _ := withQueue(t)
	k.proposed("1 new, 2 new", suggest("likes\x1b[31m tea "+spell), suggest("likes coffee"))
	k.wants("")
	k.waits("p1 likes tea [masked:spell:0123]", "p2 likes coffee")
	if r := k.decided("p1", review.Yes); refs(r) != "1" {
		t.Errorf("wrote %s", refs(r))
	}
	k.wants("1 likes tea [masked:spell:0123]")
	k.lines(`{"id":1,"ts":"2026-11-21T12:00:00Z","kind":"fact","content":"likes tea [masked:spell:0123]","origin":"model","by":"user","review":1}`)
	k.waits("p2 likes coffee")
	if it := k.state().Items()[0]; it.Origin != memory.OriginModel {
		t.Errorf("a yes made the origin %q", it.Origin)
	}
}

// TestKnownIsNotProposed: what waits, was answered, or stands or stood in the
// memory is not asked about again; what was taken back may be.
func TestKnownIsNotProposed(t *testing.T) {
	t.Parallel()
	k, _ := withQueue(t, `{"id":1,"content":"Likes  TEA"}`, `{"id":2,"content":"old news"}`, `{"id":3,"kind":"forget","target":2}`, `{"id":4,"content":"a slip"}`, `{"id":5,"kind":"undo","target":4}`)
	k.proposed("1 new, 1 pending, 0 remembered, 0 remembered, 2 new", suggest("a"), suggest(" A"), suggest("likes tea"), suggest("old news"), suggest("a slip"))
	k.decided("p1", review.No)
	k.decided("p2", review.Yes)
	k.proposed("1 refused, 2 accepted", suggest("a"), suggest("a slip"))
}

// TestAnswers: yes with changes, no, later, and each taken back.
func TestAnswers(t *testing.T) {
	t.Parallel()
	k, _ := withQueue(t)
	ctx := t.Context()
	k.proposed("1 new, 2 new, 3 new", suggest("a"), suggest("b"), suggest("c"))
	k.decided("p1", review.Later)
	k.waits("p2 b", "p3 c", "p1 a")
	text, kind, scope := "B!", memory.KindPref, memory.Scope("dir:~/x")
	r, err := k.Decide(ctx, "p2", Answer{Verdict: review.Yes, Content: &text, Kind: &kind, Scope: &scope})
	k.did("1")(r, err)
	it := k.state().Items()[0]
	if it.Record.Content != "B!" || it.Record.Kind != memory.KindPref || it.Record.Scope != scope || it.Origin != memory.OriginModel {
		t.Errorf("%+v", it.Record)
	}
	for _, v := range []review.Verdict{review.Yes, review.No} {
		if _, err := k.Decide(ctx, "p2", Answer{Verdict: v}); !errors.Is(err, review.ErrDecided) {
			t.Errorf("%s again: %v", v, err)
		}
	}
	for _, ref := range []string{"p9", "p", "7"} {
		if _, err := k.Decide(ctx, ref, Answer{Verdict: review.Yes}); !errors.Is(err, review.ErrNotWaiting) {
			t.Errorf("%s: %v", ref, err)
		}
	}
	k.decided("p3", review.No)
	k.waits("p1 a")
	if _, err := k.Reopen(ctx, "p3"); err != nil {
		t.Error(err)
	}
	k.did("2")(k.Reopen(ctx, "p2"))
	k.wants("")
	k.waits("p2 b", "p3 c", "p1 a")
	if _, err := k.Reopen(ctx, "p2"); err == nil {
		t.Error("what waits was taken back")
	}
	k.decided("p2", review.No) // after a yes that was taken back
	k.waits("p3 c", "p1 a")
	hidden := "now " + spell
	if _, err := k.Decide(ctx, "p3", Answer{Verdict: review.Yes, Content: &hidden}); !strings.Contains(fmt.Sprint(err), "secret") {
		t.Errorf("%v", err)
	}
}

// TestUndoOfAnApproval: undo of the line that a yes wrote brings the proposal back.
func TestUndoOfAnApproval(t *testing.T) {
	t.Parallel()
	k, _ := withQueue(t)
	k.proposed("1 new", suggest("a"))
	k.decided("p1", review.Yes)
	if _, _, err := k.Undo(t.Context()); err != nil {
		t.Fatal(err)
	}
	k.wants("")
	k.waits("p1 a")
	k.decided("p1", review.Yes)
	k.wants("3 a")
}

// TestKilledBetweenTheFiles: the memory has the line, the queue was never told.
func TestKilledBetweenTheFiles(t *testing.T) {
	t.Parallel()
	k, path := withQueue(t)
	k.proposed("1 new", suggest("a"))
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	k.decided("p1", review.Yes)
	if err := os.WriteFile(path, before, 0o600); err != nil {
		t.Fatal(err)
	}
	k.wants("1 a")
	k.waits()
	if _, err := k.Decide(t.Context(), "p1", Answer{Verdict: review.Yes}); !errors.Is(err, review.ErrDecided) {
		t.Errorf("%v", err)
	}
	k.proposed("1 accepted", suggest("a"))
}

// TestTwoAnswersAtOnce: of many who say yes at the same time one writes.
func TestTwoAnswersAtOnce(t *testing.T) {
	t.Parallel()
	log := new(logtest.Memory)
	dir := t.TempDir()
	open := func() *Writer {
		return New(Options{
			Own: log, Mask: mask, Now: noon, Queue: &review.Log{Path: filepath.Join(dir, "review.jsonl"), Dir: dir, Now: noon},
		}).As(typed)
	}
	if _, err := open().Propose(t.Context(), suggest("a")); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		e := open()
		if _, err := e.State(t.Context()); err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			if _, err := e.Decide(t.Context(), "p1", Answer{Verdict: review.Yes}); err != nil && !errors.Is(err, review.ErrDecided) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	s, err := open().State(t.Context())
	if err != nil || s.Len() != 1 {
		t.Errorf("%d items, %v", s.Len(), err)
	}
}

// TestWaitingLines: a line of a log that nobody let in waits; a yes writes it once
// more by the person's act and takes it back, a no takes it back.
func TestWaitingLines(t *testing.T) {
	t.Parallel()
	lines := []string{
		`{"id":1,"content":"mine"}`, `{"id":2,"content":"a","origin":"agent:x","source":{"session":"s","turn":2}}`, `{"id":3,"kind":"rule","content":"b","origin":"tool"}`,
		`{"id":4,"kind":"edit","target":1,"content":"theirs","origin":"agent:x"}`, `{"id":5,"content":"c","origin":"model"}`,
	}
	k, _ := withQueue(t, lines...)
	k.waits("2 a", "3 b", "4 theirs", "5 c")
	k.decided("5", review.Later)
	k.waits("2 a", "3 b", "4 theirs", "5 c")
	if r := k.decided("2", review.Yes); refs(r) != "6 7" {
		t.Errorf("wrote %s", refs(r))
	}
	k.decided("3", review.Yes)
	k.decided("4", review.Yes)
	k.decided("5", review.No)
	k.waits()
	k.wants("8 b; 6 a; 1 theirs")
	ts := `,"ts":"2026-11-21T12:00:00Z"`
	k.lines(append(lines,
		`{"id":6`+ts+`,"kind":"fact","content":"a","source":{"session":"s","turn":2},"origin":"agent:x","by":"user","supersedes":2}`, `{"id":7`+ts+`,"kind":"undo","target":2}`,
		`{"id":8`+ts+`,"kind":"rule","content":"b","origin":"tool","by":"user","supersedes":3}`, `{"id":9`+ts+`,"kind":"undo","target":3}`,
		`{"id":10`+ts+`,"kind":"edit","target":1,"content":"theirs","origin":"agent:x","by":"user"}`, `{"id":11`+ts+`,"kind":"undo","target":4}`,
		`{"id":12`+ts+`,"kind":"undo","target":5}`)...)
	for _, it := range k.state().Items() { // L11
		if it.Origin.Rank() == 0 {
			t.Errorf("%s is of origin %q", it.Ref(), it.Origin)
		}
	}
	k.proposed("1 refused", suggest("c"))
	k.decidedAgain("2", "3", "4", "5")
	// All of it can be taken back.
	if _, _, err := k.Undo(t.Context(), memory.Num(6), memory.Num(7)); err != nil {
		t.Fatal(err)
	}
	k.waits("2 a")
}

func (k kit) decidedAgain(list ...string) {
	k.t.Helper()
	for _, ref := range list {
		if _, err := k.Decide(k.t.Context(), ref, Answer{Verdict: review.Yes}); !errors.Is(err, review.ErrNotWaiting) {
			k.t.Errorf("%s again: %v", ref, err)
		}
	}
}

// TestForeignLogs: of a log that others can write to only rules wait one by one, and
// no line of it lets anything in.
func TestForeignLogs(t *testing.T) {
	t.Parallel()
	k, _ := withQueue(t, `{"id":1,"content":"mine"}`)
	theirs := new(logtest.Memory)
	for _, line := range []string{`{"id":1,"content":"a","by":"user","review":1}`, `{"id":2,"kind":"rule","content":"never push","by":"user"}`} {
		theirs.Insert(line)
	}
	e := New(Options{Own: k.log, Replicas: []Replica{{Name: "repo-1", Log: theirs, Ceiling: memory.OriginExternal}}, Mask: mask, Now: noon, Queue: k.queue}).As(typed)
	f := kit{Writer: e, t: t, log: k.log}
	f.proposed("1 new", suggest("b"))
	f.waits("repo-1/2 never push", "p1 b")
	f.decided("repo-1/2", review.Yes)
	f.waits("p1 b")
	f.wants("2 never push; 1 mine")
}

// TestProposeRefuses: what cannot be written is not proposed, and nothing else with it.
func TestProposeRefuses(t *testing.T) {
	t.Parallel()
	k, path := withQueue(t, `{"id":1,"content":"a"}`, `{"id":2,"kind":"forget","target":1}`)
	for name, bad := range map[string]Suggestion{
		"nothing":        suggest(" \x1b[2J "),
		"a kind":         {Record: memory.Record{Kind: "banana", Content: "x"}},
		"a scope":        {Record: memory.Record{Content: "x", Scope: "session:1"}},
		"the forgotten":  {Record: memory.Record{Kind: memory.KindPin, Target: memory.Num(1)}},
		"what never was": {Record: memory.Record{Kind: memory.KindForget, Target: memory.Num(9)}},
		"no target":      {Record: memory.Record{Kind: memory.KindForget}},
		"too much":       suggest(strings.Repeat("x ", memory.MaxContent)),
	} {
		if _, err := k.Propose(t.Context(), suggest("good"), bad); err == nil {
			t.Errorf("%s was proposed", name)
		}
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("something was written: %v", err)
	}
	if _, err := newKit(t).Propose(t.Context(), suggest("a")); !errors.Is(err, ErrNoQueue) {
		t.Errorf("%v", err)
	}
}
