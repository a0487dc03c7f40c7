package rules

import (
	"slices"

	"ken/internal/memory"
)

// An Effect says what a change does to what is held.
type Effect string

// The effects.
const (
	Neutral  Effect = "neutral"  // nothing is held more or less
	Tightens Effect = "tightens" // something is held more, nothing less
	Relaxes  Effect = "relaxes"  // something may be held less
)

// A Change is one rule of a difference. Old is nil for one that is added, New for one that
// is taken away.
type Change struct {
	Old, New *Rule
	Effect   Effect
}

// Sign is "+", "-" or "~".
func (c Change) Sign() string {
	switch {
	case c.Old == nil:
		return "+"
	case c.New == nil:
		return "-"
	}
	return "~"
}

// Rule is the rule as it is after the change or, if it is taken away, as it was.
func (c Change) Rule() *Rule {
	if c.New != nil {
		return c.New
	}
	return c.Old
}

// A Difference is what makes one set of another.
type Difference struct {
	Changes []Change // those taken away and changed in the order of the old set, then those added
	Effect  Effect   // of all of it together
}

// Empty reports whether both sets say the same.
func (d Difference) Empty() bool { return len(d.Changes) == 0 }

// Count returns how many rules are added, taken away and changed.
func (d Difference) Count() (added, removed, changed int) {
	for _, c := range d.Changes {
		switch c.Sign() {
		case "+":
			added++
		case "-":
			removed++
		default:
			changed++
		}
	}
	return added, removed, changed
}

// Between returns what makes new of old. A rule that says the same under another name is
// no change.
func Between(old, now Set) Difference {
	var d Difference
	to := make(map[memory.ID]*Rule, len(now)) // what is left of now
	for i := range now {
		to[now[i].ID] = &now[i]
	}
	var gone []*Rule
	type pair struct{ old, now *Rule }
	var changed []pair
	for i := range old {
		r := &old[i]
		same := to[r.ID]
		switch {
		case same == nil:
			gone = append(gone, r)
			continue
		case !same.equal(r):
			changed = append(changed, pair{r, same})
		}
		delete(to, r.ID)
	}
	said := make(map[string][]memory.ID) // of what is left: by what it says
	for i := range now {
		if r := to[now[i].ID]; r != nil && len(gone) > 0 {
			said[r.says()] = append(said[r.says()], r.ID)
		}
	}
	gone = slices.DeleteFunc(gone, func(r *Rule) bool {
		again := said[r.says()]
		if len(again) == 0 {
			return false
		}
		delete(to, again[0])
		said[r.says()] = again[1:]
		return true
	})
	for _, r := range gone {
		d.Changes = append(d.Changes, Change{Old: r})
	}
	for _, p := range changed {
		d.Changes = append(d.Changes, Change{Old: p.old, New: p.now})
	}
	slices.SortStableFunc(d.Changes, func(a, b Change) int { return byID(a.Old.ID, b.Old.ID) })
	for i := range now {
		if r := to[now[i].ID]; r != nil {
			d.Changes = append(d.Changes, Change{New: r})
		}
	}
	d.Effect = Neutral
	for i := range d.Changes {
		c := &d.Changes[i]
		c.Effect = effectOf(c, old, now)
		if c.Effect == Relaxes || d.Effect == Neutral {
			d.Effect = c.Effect
		}
	}
	return d
}

// effectOf is what one change does, in the sets that it stands between.
func effectOf(c *Change, old, now Set) Effect {
	held := func(r *Rule, by Set) bool {
		spoken := r.spoken()
		return slices.ContainsFunc(by, func(other Rule) bool { return covers(&other, r, spoken) })
	}
	switch {
	case c.Old != nil && !held(c.Old, now):
		return Relaxes
	case c.New != nil && !held(c.New, old):
		return Tightens
	}
	return Neutral
}
