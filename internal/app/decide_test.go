package app

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"ken/internal/engine"
	"ken/internal/memory"
	"ken/internal/review"
)

// TestRound: answers that are given together are taken back together, and one that cannot be followed keeps no other
// from being so.
func TestRound(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := Open(Options{
		Getenv: func(name string) string { return map[string]string{"KEN_HOME": dir, "HOME": dir}[name] }, Now: time.Now,
	}).View(Standing{Actor: Actor{Kind: Person}, Dir: dir})
	w, err := h.Memory.Writer()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"tea at noon", "coffee at nine", "water at ten", "milk at one"} {
		rec := memory.Record{Kind: memory.KindFact, Content: text, Origin: memory.OriginModel}
		if _, err := w.Propose(t.Context(), engine.Suggestion{Record: rec}); err != nil {
			t.Fatal(err)
		}
	}
	answer := func(ref string, v review.Verdict) engine.Answer { return engine.Answer{Ref: ref, Verdict: v} }
	waits := func() string {
		t.Helper()
		e, err := h.Memory.Engine()
		if err != nil {
			t.Fatal(err)
		}
		pending, _, _, err := e.Queue(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var refs []string
		for _, p := range pending {
			refs = append(refs, p.Ref)
		}
		slices.Sort(refs)
		return strings.Join(refs, " ")
	}
	round, err := h.Decide(t.Context(), nil,
		answer("p1", review.Yes), answer("p2", review.Yes), answer("p9", review.Yes), answer("p3", review.No), answer("p4", review.Later))
	if err != nil || len(round) != 5 {
		t.Fatalf("%+v, %v", round, err)
	}
	for i, d := range round {
		if want := i == 2; errors.Is(d.Err, review.ErrNotWaiting) != want || d.Err != nil && !want {
			t.Errorf("%s: %v", d.Ref, d.Err)
		}
	}
	s, err := h.Memory.State(t.Context())
	if err != nil || s.Len() != 2 || waits() != "p4" {
		t.Fatalf("%d remembered, %s waits, %v", s.Len(), waits(), err)
	}
	back := round.Back()
	if strings.Join(back, " ") != "1 2 p3" {
		t.Errorf("taken back by %q", back)
	}
	// Where one of the lines cannot be taken back, nothing is.
	if done, err := h.TakeBack(t.Context(), "1", "77", "p3"); err == nil || len(done) > 0 || waits() != "p4" {
		t.Errorf("took back %q, %s waits, %v", done, waits(), err)
	}
	done, err := h.TakeBack(t.Context(), back...)
	if err != nil || !slices.Equal(done, back) || waits() != "p1 p2 p3 p4" {
		t.Errorf("took back %q, %s waits, %v", done, waits(), err)
	}
	if s, err = h.Memory.State(t.Context()); err != nil || s.Len() != 0 {
		t.Errorf("%d remembered, %v", s.Len(), err)
	}
	if _, err := h.TakeBack(t.Context(), "p3"); err == nil || !strings.Contains(err.Error(), "it waits") {
		t.Errorf("twice: %v", err)
	}
}
