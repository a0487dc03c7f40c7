package lifecycle

import (
	"time"

	"ken/internal/memory"
)

// A Propose is what a policy would have the person reminded of, where there is enough new. Zero fields remind of nothing.
type Propose struct {
	Synthesis  int           // so many memories and lessons that are new since the last pattern
	Retrospect time.Duration // so long since the last look back, if anything is new since
}

// What a person can be reminded of.
const (
	WishSynthesis  = "synthesis"
	WishRetrospect = "retrospect"
)

// A Wish is one reminder: there is something to look at, and the person says whether they do.
type Wish struct {
	What  string    // WishSynthesis or WishRetrospect; "": nothing
	New   int       // memories that are new
	Since time.Time // since when; zero: from the beginning
}

// Wish returns what a policy would have the person reminded of now. told says when they were last reminded of it, the zero time if
// never. They are reminded of one thing at most, and not within a day of the last time; of the same only when as much again is new.
func (p Policy) Wish(s *memory.State, told func(what string) time.Time, now time.Time) Wish {
	last := map[string]time.Time{WishSynthesis: told(WishSynthesis), WishRetrospect: told(WishRetrospect)}
	for _, at := range last {
		if !at.IsZero() && now.Sub(at) < day { // also where a clock was wrong
			return Wish{}
		}
	}
	var items []memory.Item
	var begun time.Time // of what there is
	for _, it := range s.Items() {
		at := it.Record.Time
		if it.ID.Log != "" || at.IsZero() || at.After(now) {
			continue
		}
		if begun.IsZero() || at.Before(begun) {
			begun = at
		}
		switch k := it.Record.Kind; {
		case k.Is(memory.Derived):
			last[WishSynthesis] = later(last[WishSynthesis], at)
		case k == memory.KindRetro, k == memory.KindLesson, k == memory.KindGoal:
			last[WishRetrospect] = later(last[WishRetrospect], at)
		}
		if it.Active() && it.Current(now) && it.Record.Kind != memory.KindRule {
			items = append(items, it)
		}
	}
	count := func(what string, is func(*memory.Item) bool) (n int) {
		for i := range items {
			if items[i].Record.Time.After(last[what]) && is(&items[i]) {
				n++
			}
		}
		return n
	}
	loose := func(it *memory.Item) bool {
		return it.Record.Kind == memory.KindLesson || it.Phase == memory.PhaseFluid
	}
	if n := count(WishSynthesis, loose); p.Propose.Synthesis > 0 && n >= p.Propose.Synthesis {
		return Wish{WishSynthesis, n, last[WishSynthesis]}
	}
	since := last[WishRetrospect]
	if since.IsZero() {
		since = begun
	}
	n := count(WishRetrospect, func(*memory.Item) bool { return true })
	if p.Propose.Retrospect > 0 && n > 0 && now.Sub(since) >= p.Propose.Retrospect {
		return Wish{WishRetrospect, n, last[WishRetrospect]}
	}
	return Wish{}
}
