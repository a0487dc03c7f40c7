package engine

import (
	"errors"
	"sync"
	"testing"

	"ken/internal/memory"
	"ken/internal/review"
)

// TestAcceptByPolicy: a policy of the person lets in what a model wrote of their words, once, and
// nothing of others, no rule, and nothing that was refused or waits.
func TestAcceptByPolicy(t *testing.T) {
	t.Parallel()
	k, _ := withQueue(t)
	policy := k.As(Actor{Kind: Policy, Name: "auto_extract"})
	r, err := policy.AcceptByPolicy(t.Context(), suggest("likes tea"), suggest("Likes  tea"), suggest("has a dog"))
	if err != nil || len(r.IDs) != 2 {
		t.Fatal(r, err)
	}
	s, err := k.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range r.IDs {
		it, status := s.Get(id)
		if !it.Active() || it.Record.By != "policy:auto_extract" || it.Origin != memory.OriginModel {
			t.Errorf("%s is %s, by %q of %q", id, status, it.Record.By, it.Origin)
		}
	}
	k.proposed("1 new, 2 new", suggest("refused"), suggest("waits"))
	k.decided("p1", review.No)
	if r, err := policy.AcceptByPolicy(t.Context(), suggest("refused"), suggest("waits"), suggest("LIKES TEA")); err != nil || len(r.IDs) > 0 {
		t.Errorf("%v %v", r, err)
	}
	for _, g := range []Suggestion{
		{Record: memory.Record{Content: "x", Kind: memory.KindRule, Origin: memory.OriginModel}},
		{Record: memory.Record{Content: "x", Origin: memory.OriginTool}},
		{Record: memory.Record{Content: "x", Origin: memory.OriginExternal}},
		{Record: memory.Record{Kind: memory.KindForget, Target: r.IDs[0], Origin: memory.OriginModel}},
	} {
		if _, err := policy.AcceptByPolicy(t.Context(), suggest("beside it"), g); !errors.Is(err, ErrPolicy) {
			t.Errorf("%+v: %v", g.Record, err)
		}
	}
	k.waits("p2 waits")
	if s, err = k.State(t.Context()); err != nil || len(s.Items()) != 2 {
		t.Errorf("%v %v", s.Items(), err)
	}
	// Several at once write it once.
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := policy.AcceptByPolicy(t.Context(), suggest("said at once")); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if s, err = k.State(t.Context()); err != nil || len(s.Items()) != 3 {
		t.Errorf("%v %v", s.Items(), err)
	}
}
