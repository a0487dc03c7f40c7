package learn

import (
	"slices"
	"testing"
	"time"

	"ken/internal/app"
)

// at is a view of no memory at a time.
func at(now time.Time) *app.View {
	return app.Open(app.Options{Now: func() time.Time { return now }}).View(app.Standing{})
}

// TestWorth: the order is computed from what a finding rests on: how often it was seen, how new it is and what it cost. The sort decides
// between two that are worth the same, and nothing else.
func TestWorth(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 6, 1, 10, 0, 0, 0, time.UTC)
	ago := func(days int) time.Time { return now.AddDate(0, 0, -days) }
	seen := func(name string, s Sort, e Evidence) Finding { return Finding{Sort: s, Text: name, Evidence: e} }
	for name, list := range map[string][2]Finding{ // the first one is worth more
		"how often": {seen("a", Skill, Evidence{Times: 3, Last: ago(1)}), seen("b", Correction, Evidence{Times: 2, Last: ago(1)})},
		"how new":   {seen("a", Statement, Evidence{Times: 2, Last: ago(1)}), seen("b", Correction, Evidence{Times: 2, Last: ago(9)})},
		"how dear": {
			seen("a", Pattern, Evidence{Times: 2, Last: ago(1), Tokens: 4000}), seen("b", Wish, Evidence{Times: 3, Last: ago(1), Tokens: 100}),
		},
		"danger":  {seen("a", Rule, Evidence{Times: 2, Last: ago(1), Danger: true}), seen("b", Correction, Evidence{Times: 3, Last: ago(1)})},
		"unknown": {seen("a", Skill, Evidence{Times: 1, Last: ago(300)}), seen("b", Correction, Evidence{Times: 9})},
		"sort":    {seen("b", Correction, Evidence{Times: 2, Last: ago(1)}), seen("a", Wish, Evidence{Times: 2, Last: ago(1)})},
		"text":    {seen("a", Wish, Evidence{Times: 2, Last: ago(1)}), seen("b", Wish, Evidence{Times: 2, Last: ago(1)})},
		"future":  {seen("a", Wish, Evidence{Times: 2, Last: ago(-9)}), seen("b", Wish, Evidence{Times: 2, Last: ago(1)})},
	} {
		for _, order := range [][]Finding{{list[0], list[1]}, {list[1], list[0]}} {
			f := finder{home: at(now), found: Found{Findings: slices.Clone(order)}}
			if got := f.sorted().Findings; got[0].Text != list[0].Text {
				t.Errorf("%s: %+v before %+v", name, got[0], got[1])
			}
		}
	}
	halved := Evidence{Times: 4, Last: now.Add(-halfLife)}.Worth(now)
	if halved != 2 {
		t.Errorf("after a half-life the worth of 4 is %v", halved)
	}
}

// TestMostOfASort: of one sort no more are shown than a person reads; corrections are shown whole.
func TestMostOfASort(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 6, 1, 10, 0, 0, 0, time.UTC)
	var list []Finding
	for i := range 2 * mostOf {
		e := Evidence{Times: i + 1, Last: now}
		list = append(list, Finding{Sort: Wish, Evidence: e}, Finding{Sort: Correction, Evidence: e})
	}
	f := finder{home: at(now), found: Found{Findings: list}}
	got := f.sorted()
	if len(got.Findings) != 3*mostOf || got.More != mostOf || got.Findings[0].Times != 2*mostOf {
		t.Errorf("%d shown, %d more", len(got.Findings), got.More)
	}
}
