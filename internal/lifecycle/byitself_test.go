package lifecycle

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ken/internal/memory"
)

// TestR368ByItself: what a sweep does unasked, and what it asks about.
func TestR368ByItself(t *testing.T) {
	t.Parallel()
	swept := `{"id":90,"ts":"2026-01-01T00:00:00Z","kind":"tier","target":91,"tier":"archive","by":"policy:hygiene"}`
	idle := func(n int) (lines []string) {
		for i := range n {
			lines = append(lines, stated(i+1, 61+float64(i), ""))
		}
		return lines
	}
	rule := usual()
	rule.Rules = []Rule{{Name: "facts", Kinds: []memory.Kind{memory.KindFact}, Do: Archive}}
	for _, test := range []struct {
		name   string
		policy Policy
		lines  []string
		due    int // how many items
		doubt  Doubt
	}{
		{"a few of many", usual(), append(idle(5), many(50, 10, "")...), 5, ""},
		{"more than a handful, at first", usual(), append(idle(6), many(50, 10, "")...), 6, DoubtFirst},
		{"later", usual(), append(idle(6), append(many(50, 10, ""), swept)...), 6, ""},
		{"most of it", usual(), append(idle(6), append(many(50, 5, ""), swept)...), 6, DoubtMost},
		{"half of it", usual(), append(idle(6), append(many(50, 6, ""), swept)...), 6, ""},
		{"all of it", usual(), append(idle(6), swept), 6, DoubtMost},
		{"the only one", usual(), idle(1), 0, ""},
		{"the last few", usual(), append(idle(5), swept), 0, ""},
		{"the last but what is pinned", usual(), append(idle(5), recently(60)), 5, ""},
		{"the last but what has ended", usual(), append(idle(5), stated(60, 1, `"expires":"2026-10-31T00:00:00Z"`)), 0, ""},
		{"all of it, by a rule of the person", rule, many(50, 4, ""), 4, ""},
	} {
		plan := Make(Input{State: fold(test.lines...), Policy: test.policy, Now: noon()})
		due, doubt := plan.ByItself(Plan.Due)
		n := 0
		for _, a := range due {
			n += len(a.Items)
		}
		if n != test.due || doubt != test.doubt {
			t.Errorf("%s: %d items, %q; want %d, %q: %v", test.name, n, doubt, test.due, test.doubt, steps(plan))
		}
	}
}

// TestR368NeverEmpty: whatever was written and used, and whenever it is looked after, sweeps
// that nobody was asked about leave something hot of what was.
func TestR368NeverEmpty(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		lines, p := someLines(t), usual()
		p.Sweep.HotDays = rapid.IntRange(1, 90).Draw(t, "hot days")
		p.Sweep.HotMax = rapid.IntRange(1, 9).Draw(t, "most hot")
		p.Sweep.Forget = rapid.Bool().Draw(t, "forget")
		now := noon()
		was, begun := holding(fold(lines...), now), now
		for range rapid.IntRange(1, 12).Draw(t, "sweeps") {
			now = now.Add(time.Duration(rapid.IntRange(1, 2000).Draw(t, "hours")) * time.Hour)
			plan := Make(Input{State: fold(lines...), Policy: p, Now: now})
			due, doubt := plan.ByItself(Plan.Due)
			if doubt != "" {
				continue // they said no
			}
			lines = carry(lines, due, now)
			if left := holding(fold(lines...), begun); was > 0 && left == 0 {
				t.Fatalf("nothing of %d is left at %v after %v", was, now, steps(Plan{Actions: due}))
			}
		}
	})
}

// holding counts what is hot and holds at that time.
func holding(s *memory.State, at time.Time) (n int) {
	for _, it := range s.With(memory.StatusActive) {
		n += btoi(it.Tier == memory.TierHot && it.Current(at))
	}
	return n
}

// TestByItselfPure: asking twice gives the same, and leaves the plan as it was.
func TestByItselfPure(t *testing.T) {
	t.Parallel()
	plan := Make(Input{State: fold(many(1, 30, "")...), Policy: usual(), Now: noon()})
	before := steps(plan)
	one, _ := plan.ByItself(Plan.Due)
	two, _ := plan.ByItself(Plan.Due)
	if diff := cmp.Diff(steps(Plan{Actions: one}), steps(Plan{Actions: two})) + cmp.Diff(before, steps(plan)); diff != "" {
		t.Error(diff)
	}
}
