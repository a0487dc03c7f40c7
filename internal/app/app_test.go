package app

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"ken/internal/fault"
)

// openView is the memory of a person whose files are in a directory of the test's own.
func open(t *testing.T) (a *App, dir string) {
	t.Helper()
	dir = t.TempDir()
	a, err := Open(Options{
		Getenv: func(name string) string { return map[string]string{"KEN_HOME": dir, "HOME": dir}[name] },
		Now:    time.Now,
	})
	if err != nil {
		t.Fatal(err)
	}
	return a, dir
}

// TestZeroActor: who says nothing of themselves reads, and writes nothing.
func TestZeroActor(t *testing.T) {
	t.Parallel()
	a, dir := open(t)
	if _, err := a.As(Actor{Kind: Person}).Remember(t.Context(), "", Statement{Text: "the kettle is red"}); err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(dir, "memory.jsonl")
	before, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	nobody := a.As(Actor{})
	if _, err := nobody.Remember(t.Context(), "", Statement{Text: "x"}); err == nil {
		t.Error("nobody remembered")
	}
	if _, err := nobody.Forget(t.Context(), "", "1"); err == nil {
		t.Error("nobody forgot")
	}
	s, err := nobody.At(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	if hits, err := s.Recall(t.Context(), Question{Text: "kettle"}); err != nil || len(hits) != 1 {
		t.Errorf("nobody reads %v, %v", hits, err)
	}
	if after, err := os.ReadFile(log); err != nil || string(after) != string(before) {
		t.Errorf("%v: %s", err, after)
	}
	if _, err := os.Stat(filepath.Join(dir, "review.jsonl")); err == nil {
		t.Error("nobody suggested")
	}
}

// TestSnapshot: what a snapshot says is of the moment it was taken, whatever is written
// meanwhile; and what holds elsewhere is in none of it.
func TestSnapshot(t *testing.T) {
	t.Parallel()
	a, _ := open(t)
	here, there := Place(t.TempDir()), Place(t.TempDir())
	person := a.As(Actor{Kind: Person})
	say := func(at Place, text, scope string) {
		t.Helper()
		if _, err := person.Remember(t.Context(), at, Statement{Text: text, Scope: scope}); err != nil {
			t.Fatal(err)
		}
	}
	say(here, "the drawer holds string", "here")
	old, err := person.At(t.Context(), here)
	if err != nil {
		t.Fatal(err)
	}
	say(here, "the drawer holds cork", "here")
	say(there, "the drawer holds wax", "here")
	recall := func(s *Snapshot) string {
		t.Helper()
		hits, err := s.Recall(t.Context(), Question{Text: "drawer"})
		if err != nil {
			t.Fatal(err)
		}
		var refs []string
		for _, h := range hits {
			refs = append(refs, h.Ref)
		}
		return strings.Join(refs, " ")
	}
	if got := recall(old); got != "1" {
		t.Errorf("what was known then: %q", got)
	}
	now, err := person.At(t.Context(), here)
	if err != nil {
		t.Fatal(err)
	}
	if got := recall(now); got != "2 1" && got != "1 2" {
		t.Errorf("what is known here now: %q", got)
	}
	if nowhere, err := person.At(t.Context(), ""); err != nil || recall(nowhere) != "" {
		t.Errorf("nowhere: %v", err)
	}
	if _, err := person.At(t.Context(), "some/where"); fault.KindOf(err) != fault.Usage {
		t.Errorf("a path that is not absolute: %v", err)
	}
}

// TestAtOnce: many callers of one App at once, of several places, lose nothing, and
// every write is told once.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	a, dir := open(t)
	places := []Place{"", Place(t.TempDir()), Place(t.TempDir())}
	var mu sync.Mutex
	told := make(map[bool]int)
	cancel := a.Subscribe(func(e Event) {
		mu.Lock()
		defer mu.Unlock()
		told[e.Changed]++
	})
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			at := places[i%len(places)]
			done, err := a.As(Actor{Kind: Person}).Remember(t.Context(), at, Statement{Text: fmt.Sprintf("note %d says tea", i), Scope: []string{"user", "here"}[i%2]})
			if err != nil && at != "" {
				t.Errorf("%d: %v", i, err)
			}
			if err != nil {
				return // nowhere is no place
			}
			s, err := a.At(t.Context(), at)
			if err == nil {
				_, err = s.Recall(t.Context(), Question{Text: "tea"})
			}
			if err == nil && i%4 == 1 {
				_, err = a.As(Actor{Kind: Person}).Forget(t.Context(), "", done.Ref)
			}
			if err != nil {
				t.Errorf("%d: %v", i, err)
			}
		})
	}
	all.Wait()
	b, err := os.ReadFile(filepath.Join(dir, "memory.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	notes, gone := strings.Count(string(b), "says tea"), strings.Count(string(b), `"forget"`)
	if notes < 10 || told[false] != notes || told[true] != gone {
		t.Errorf("%d notes, %d forgotten, told %v", notes, gone, told)
	}
	cancel()
	if _, err := a.As(Actor{Kind: Person}).Remember(t.Context(), "", Statement{Text: "nobody is told"}); err != nil || told[false] != notes {
		t.Errorf("%v, told %v", err, told)
	}
}

// TestSaidAgain: what is known already is not written again, and saying it is a use of it.
func TestSaidAgain(t *testing.T) {
	t.Parallel()
	a, dir := open(t)
	person := a.As(Actor{Kind: Person})
	for _, want := range []string{"remembered", "duplicate"} {
		done, err := person.Remember(t.Context(), "", Statement{Text: "the kettle is red"})
		if err != nil || done.Did != want || done.Ref != "1" {
			t.Errorf("%+v, %v: want %s", done, err, want)
		}
	}
	b, err := os.ReadFile(filepath.Join(dir, "usage.jsonl"))
	if err != nil || !strings.Contains(string(b), `"1"`) {
		t.Errorf("%v: %s", err, b)
	}
}
