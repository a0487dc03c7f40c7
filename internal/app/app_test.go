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
	"ken/internal/index"
)

// open is the memory of a person whose files are in a directory of the test's own.
func open(t *testing.T) (a *App, dir string) {
	t.Helper()
	dir = t.TempDir()
	a = Open(Options{
		Getenv: func(name string) string { return map[string]string{"KEN_HOME": dir, "HOME": dir}[name] },
		Now:    time.Now,
	})
	if err := a.Check(); err != nil {
		t.Fatal(err)
	}
	return a, dir
}

// person is what the person has of a memory where they stand.
func person(a *App, dir string) *View { return a.View(Standing{Actor: Actor{Kind: Person}, Dir: dir}) }

// TestZeroActor: who says nothing of themselves reads, and writes nothing.
func TestZeroActor(t *testing.T) {
	t.Parallel()
	a, dir := open(t)
	if _, err := person(a, "").Remember(t.Context(), Statement{Text: "the kettle is red"}); err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(dir, "memory.jsonl")
	before, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	nobody := a.View(Standing{})
	if _, err := nobody.Remember(t.Context(), Statement{Text: "x"}); err == nil {
		t.Error("nobody remembered")
	}
	if _, err := nobody.Forget(t.Context(), "", "1"); err == nil {
		t.Error("nobody forgot")
	}
	if hits, err := nobody.Recall(t.Context(), Question{Text: "kettle"}); err != nil || len(hits) != 1 {
		t.Errorf("nobody reads %v, %v", hits, err)
	}
	if after, err := os.ReadFile(log); err != nil || string(after) != string(before) {
		t.Errorf("%v: %s", err, after)
	}
	if _, err := os.Stat(filepath.Join(dir, "review.jsonl")); err == nil {
		t.Error("nobody suggested")
	}
}

// TestPlaces: what holds elsewhere is not found, and a place is an absolute path.
func TestPlaces(t *testing.T) {
	t.Parallel()
	a, _ := open(t)
	here, there := t.TempDir(), t.TempDir()
	say := func(at, text, scope string) {
		t.Helper()
		if _, err := person(a, at).Remember(t.Context(), Statement{Text: text, Scope: scope}); err != nil {
			t.Fatal(err)
		}
	}
	say(here, "the drawer holds string", "here")
	say(here, "the drawer holds cork", "here")
	say(there, "the drawer holds wax", "here")
	recall := func(at string) string {
		t.Helper()
		hits, err := person(a, at).Recall(t.Context(), Question{Text: "drawer"})
		if err != nil {
			t.Fatal(err)
		}
		var refs []string
		for _, h := range hits {
			refs = append(refs, h.Ref)
		}
		return strings.Join(refs, " ")
	}
	if got := recall(here); got != "2 1" && got != "1 2" {
		t.Errorf("what is known here: %q", got)
	}
	if got := recall(""); got != "" {
		t.Errorf("nowhere: %q", got)
	}
	if _, err := person(a, "some/where").Recall(t.Context(), Question{Text: "drawer"}); fault.KindOf(err) != fault.Usage {
		t.Errorf("a path that is not absolute: %v", err)
	}
}

// TestAtOnce: many callers of one App at once, of several places, lose nothing, and
// every write is told once.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	a, dir := open(t)
	places := []string{"", t.TempDir(), t.TempDir()}
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
			v := person(a, at)
			done, err := v.Remember(t.Context(), Statement{Text: fmt.Sprintf("note %d says tea", i), Scope: []string{"user", "here"}[i%2]})
			if err != nil && at != "" {
				t.Errorf("%d: %v", i, err)
			}
			if err != nil {
				return // nowhere is no place
			}
			_, err = v.Recall(t.Context(), Question{Text: "tea"})
			if err == nil && i%4 == 1 {
				_, err = v.Forget(t.Context(), "", done.Ref)
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
	if _, err := person(a, "").Remember(t.Context(), Statement{Text: "nobody is told"}); err != nil || told[false] != notes {
		t.Errorf("%v, told %v", err, told)
	}
}

// TestSaidAgain: what is known already is not written again, and saying it is a use of it.
func TestSaidAgain(t *testing.T) {
	t.Parallel()
	a, dir := open(t)
	for _, want := range []string{"remembered", "duplicate"} {
		done, err := person(a, "").Remember(t.Context(), Statement{Text: "the kettle is red"})
		if err != nil || done.Did != want || done.Ref != "1" {
			t.Errorf("%+v, %v: want %s", done, err, want)
		}
	}
	b, err := os.ReadFile(filepath.Join(dir, "usage.jsonl"))
	if err != nil || !strings.Contains(string(b), `"1"`) {
		t.Errorf("%v: %s", err, b)
	}
}

// TestFirstLookIsBack: a look at an earlier time that comes first leaves the memory as it is now to those who come after it, and all
// share one state.
func TestFirstLookIsBack(t *testing.T) {
	t.Parallel()
	a, dir := open(t)
	line := `{"id":1,"ts":"2026-01-02T10:00:00Z","kind":"fact","content":"the kettle is on loan","expires":"2026-02-01T00:00:00Z"}` + "\n"
	if err := os.WriteFile(filepath.Join(dir, "memory.jsonl"), []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	back := person(a, "").At("", time.Date(2026, 1, 10, 0, 0, 0, 0, time.UTC))
	if _, err := back.Settings.Read(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		v    *View
		want bool
	}{{back, true}, {person(a, ""), false}, {person(a, ""), false}} {
		hits, err := c.v.Recall(t.Context(), Question{Text: "kettle", In: []index.Source{index.Memory}})
		if err != nil || (len(hits) > 0) != c.want {
			t.Errorf("%v, %v: want one: %t", hits, err, c.want)
		}
	}
	one, err := person(a, "").Memory.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if other, err := back.Memory.State(t.Context()); err != nil || other != one {
		t.Errorf("another state of the same lines: %v", err)
	}
}

// TestMemoriesAreBounded: logs of repositories that come and go leave no memory behind that nobody stands on.
func TestMemoriesAreBounded(t *testing.T) {
	t.Parallel()
	a, _ := open(t)
	made := 0
	for range 2 {
		for i := range 3 * mostMemories {
			a.memory("memory.jsonl", nil, fmt.Sprint(i), func() *opened { made++; return &opened{} })
			a.memory("memory.jsonl", nil, "0", func() *opened { made++; return &opened{} })
		}
	}
	if len(a.memories) != mostMemories || made != 6*mostMemories-1 {
		t.Errorf("%d are kept, %d were made", len(a.memories), made)
	}
}
