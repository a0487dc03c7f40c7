package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ken/internal/memory"
	"ken/internal/memory/filelog"
	"ken/internal/memory/logtest"
	"ken/internal/memory/tombstone"
)

// TestForgetTogether: one line hides items and conversations, whatever their
// number, and either all of them or none.
func TestForgetTogether(t *testing.T) {
	t.Parallel()
	k := newKit(t, `{"id":1,"content":"one"}`, `{"id":2,"content":"two","source":{"session":"s","turn":4}}`, `{"id":3,"content":"three"}`)
	if _, err := k.ForgetBulk(t.Context(), Bulk{}); !errors.Is(err, ErrNothingToForget) {
		t.Errorf("nothing: %v", err)
	}
	if _, err := k.ForgetBulk(t.Context(), Bulk{IDs: []memory.ID{memory.Num(1), memory.Num(9)}}); !errors.Is(err, ErrNotActive) {
		t.Errorf("one that is none: %v", err)
	}
	k.wants("3 three; 2 two; 1 one")
	r, err := k.ForgetBulk(t.Context(), Bulk{IDs: []memory.ID{memory.Num(1), memory.Num(2).In("laptop-7f3a")}, Sessions: []string{"trip"}, Reason: "over"})
	if err != nil || refs(r) != "4" {
		t.Fatalf("%v, %v", r, err)
	}
	k.wants("3 three")
	if h := k.state().HiddenTurns(); !h.Has("trip", 7) || !h.Has("s", 4) || h.Has("s", 5) {
		t.Errorf("hidden: %+v", h)
	}
	if _, _, err := k.Undo(t.Context(), r.IDs...); err != nil {
		t.Fatal(err)
	}
	k.wants("3 three; 2 two; 1 one")
	if h := k.state().HiddenTurns(); h.Has("trip", 7) || h.Has("s", 4) {
		t.Errorf("still hidden: %+v", h)
	}
	if r, err = k.ForgetBulk(t.Context(), Bulk{Sessions: []string{"trip"}}); err != nil || refs(r) != "6" {
		t.Errorf("a conversation alone: %v, %v", r, err)
	}
}

// TestForgetMany: more than fits on a line goes on several.
func TestForgetMany(t *testing.T) {
	t.Parallel()
	var b Bulk
	var text strings.Builder
	for i := range 2*maxTargets + 1 {
		fmt.Fprintf(&text, `{"id":%d,"content":"x"}`+"\n", i+1)
		b.IDs = append(b.IDs, memory.Num(int64(i+1)))
	}
	h, dir := house{t}, t.TempDir()
	h.write(dir, text.String())
	e := h.open(dir)
	r, err := e.ForgetBulk(t.Context(), b)
	if err != nil || len(r.IDs) != 3 {
		t.Fatalf("%d lines, %v", len(r.IDs), err)
	}
	if s, err := e.State(t.Context()); err != nil || s.Len() != 0 {
		t.Errorf("%d are left, %v", s.Len(), err)
	}
}

// TestL9Together: undoing what was forgotten together restores the same items,
// fields, order and conversations.
func TestL9Together(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		var lines []string
		n := rapid.IntRange(1, 8).Draw(rt, "items")
		for i := range n {
			lines = append(lines, fmt.Sprintf(`{"id":%d,"content":"item %d","key":%q,"source":{"session":"s","turn":%d}}`,
				i+1, i+1, rapid.SampledFrom([]string{"", "a", "b"}).Draw(rt, "key"), i+1))
		}
		k := newKit(t, lines...)
		before := k.state()
		b := Bulk{Sessions: rapid.SliceOfN(rapid.SampledFrom([]string{"s", "t", "u"}), 0, 3).Draw(rt, "sessions")}
		for i := range n {
			if rapid.Bool().Draw(rt, "this") {
				b.IDs = append(b.IDs, memory.Num(int64(i+1)))
			}
		}
		r, err := k.ForgetBulk(t.Context(), b)
		if errors.Is(err, ErrNothingToForget) {
			return
		}
		if err != nil {
			rt.Fatal(err)
		}
		if _, _, err := k.Undo(t.Context(), r.IDs...); err != nil {
			rt.Fatal(err)
		}
		after := k.state()
		if diff := cmp.Diff(before.Items(), after.Items()); diff != "" {
			rt.Fatalf("items (-before +after):\n%s", diff)
		}
		if diff := cmp.Diff(before.HiddenTurns(), after.HiddenTurns()); diff != "" {
			rt.Fatalf("hidden (-before +after):\n%s", diff)
		}
	})
}

// TestErase: files first, the replicas, and the own log last; a failure before it
// leaves the item.
func TestErase(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := house{t}
	h.write(dir, `{"meta":{"format":1,"log":"laptop-7f3a"}}`+"\n"+`{"id":1,"content":"one"}`+"\n"+`{"id":2,"content":"two"}`+"\n")
	peer := filepath.Join(dir, "peers", "phone-19c4.jsonl")
	open := func() *Writer {
		return New(Options{
			Own:      filelog.Open(filepath.Join(dir, "memory.jsonl"), h.options(dir)),
			Replicas: []Replica{{Name: "phone-19c4", Log: filelog.Open(peer, filelog.Options{Replica: true})}, {Name: "repo", Log: logtest.NewMemory("repo"), Ceiling: memory.OriginExternal}},
			Mask:     mask, Now: noon, Erased: &tombstone.Journal{Path: filepath.Join(dir, "state", "erased.jsonl"), Now: noon},
		}).As(typed)
	}
	e := open()
	failed := errors.New("the disk is full")
	if err := e.Erase(t.Context(), func(context.Context) error { return failed }, memory.Num(1)); !errors.Is(err, failed) {
		t.Fatalf("%v", err)
	}
	s, err := e.State(t.Context())
	var told *tombstone.ReturnedError
	if texts(s) != "2 two; 1 one" || !errors.As(err, &told) || err.Error() != "an erasing was interrupted: #1" || told.Hint() != "erase it again: ken forget --for-good 1" {
		t.Fatalf("%q, %v", texts(s), err)
	}
	ran := false
	if err := open().Erase(t.Context(), func(context.Context) error { ran = true; return nil }, memory.Num(1)); err != nil || !ran {
		t.Fatal(err, ran)
	}
	if strings.Contains(h.read(dir), "one") {
		t.Errorf("the log has it:\n%s", h.read(dir))
	}
	// Another engine that has read the log notices.
	if s, err := e.State(t.Context()); err != nil || texts(s) != "2 two" || s.Status(memory.Num(1)) != memory.StatusErased {
		t.Errorf("%q, %v", texts(s), err)
	}
	for _, id := range []memory.ID{memory.Num(9), memory.Num(9).In("phone-19c4")} {
		if err := e.Erase(t.Context(), func(context.Context) error { t.Error("files were touched"); return nil }, id); !errors.Is(err, ErrNotActive) {
			t.Errorf("%v: %v", id, err)
		}
	}
	if err := e.Erase(t.Context(), func(context.Context) error { return nil }); err != nil {
		t.Errorf("a text that no item says: %v", err)
	}
}
