package scrub_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/session"
)

// TestRemoval: a conversation that is deleted is in no file any more, nor what was
// derived from it and typed in it; others, and what was remembered, keep every byte and
// are named.
func TestRemoval(t *testing.T) {
	t.Parallel()
	h := furnished(newHouse(t))
	h.write("history", "git status", "our vessel for staging", ":remember the staging host is kettle", "thanks")
	path := filepath.Join(h.dir, "sessions", "s1.jsonl")
	kept := []string{"memory.jsonl", "review.jsonl", "sessions/copy.jsonl", "sessions/import/standup.jsonl", "peers/phone-7f3a.jsonl"}
	before := map[string]string{}
	for _, name := range kept {
		before[name] = h.read(name)
	}
	e, _ := h.open()
	r, err := e.PlanRemoval(h.context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if r.Session != "s1" || r.Turns != 3 || r.Title != "our vessel for staging" {
		t.Errorf("planned %+v", r.Deleted)
	}
	if diff := cmp.Diff([]string{"copy"}, r.Copies); diff != "" {
		t.Errorf("copies (-want +got):\n%s", diff)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error("planning changed something")
	}
	if err := e.Remove(h.context(), r); err != nil {
		t.Fatal(err)
	}
	if err := e.VerifyRemoval(h.context(), r); err != nil {
		t.Fatal(err)
	}
	if !r.Gone(e.Keeps) {
		t.Errorf("words of it are where nobody keeps them: %+v", r.Proof)
	}
	for _, name := range kept {
		if diff := cmp.Diff(before[name], h.read(name)); diff != "" {
			t.Errorf("%s (-before +after):\n%s", name, diff)
		}
	}
	if got := h.read("history"); strings.Contains(got, "vessel") || !strings.Contains(got, "git status") {
		t.Errorf("what was typed: %s", got)
	}
	for _, name := range []string{"sessions/s1.jsonl", "sessions/.s9.jsonl.new", "cache/index/0123/segment"} {
		if _, err := os.Stat(filepath.Join(h.dir, name)); !os.IsNotExist(err) {
			t.Errorf("%s is there still", name)
		}
	}
	if _, err := e.PlanRemoval(h.context(), path); !os.IsNotExist(errors.Unwrap(err)) && !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a second time: %v", err)
	}
}

// TestRemovalHeld: a conversation that is open elsewhere stays, and all that is of it.
func TestRemovalHeld(t *testing.T) {
	t.Parallel()
	h := furnished(newHouse(t))
	h.write("history", "our vessel for staging", "the staging host is kettle")
	path := filepath.Join(h.dir, "sessions", "s1.jsonl")
	e, _ := h.open()
	r, err := e.PlanRemoval(h.context(), path)
	if err != nil {
		t.Fatal(err)
	}
	w, _, err := e.Sessions.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.PlanRemoval(h.context(), path); !errors.Is(err, session.ErrHeld) {
		t.Errorf("planned while it is open: %v", err)
	}
	if err := e.Remove(h.context(), r); !errors.Is(err, session.ErrHeld) {
		t.Errorf("removed while it is open: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error("it is gone")
	}
	if got := h.read("history"); !strings.Contains(got, "the staging host is kettle") {
		t.Errorf("what was typed is gone: %s", got)
	}
}
