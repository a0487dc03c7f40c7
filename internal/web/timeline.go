package web

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"ken/internal/app/owner"
	"ken/internal/view"
)

// mostDots is how many memories the timeline shows at most: the newest.
const mostDots = 1000

type timeline struct {
	Count            string
	Wide, High, Left int
	Lanes            []lane
	Ticks            []tick
	Dots             []dot
}

type lane struct {
	Name     string
	Y, TextY int
}

type tick struct {
	X, Y         int
	Name, Anchor string
}

type dot struct {
	view.Item
	X, Y       int
	When, Line string
}

// timeline is time across, a lane for each kind.
func (p *Page) timeline(a asked) (*timeline, error) {
	list, err := p.o.Owner.List(a.ctx, owner.Filter{Past: true, Most: mostDots})
	if err != nil {
		return nil, err
	}
	gone, err := p.o.Owner.Gone(a.ctx, mostDots)
	if err != nil {
		return nil, err
	}
	all := append(list.Rows, gone...)
	slices.SortStableFunc(all, func(x, y view.Item) int { return cmp.Compare(y.TS, x.TS) })
	all = all[:min(len(all), mostDots)]
	const left, right, step = 96, 16, 34
	v := &timeline{Count: fmt.Sprintf("%d of %d", len(all), list.Total+len(gone)), Wide: 800, Left: left}
	if len(all) == 0 {
		v.Count = "Nothing yet"
		return v, nil
	}
	var kinds []string
	first, last := time.Time{}, p.o.Now()
	for _, it := range all {
		if !slices.Contains(kinds, it.Kind) {
			kinds = append(kinds, it.Kind)
		}
		if t, err := time.Parse(time.RFC3339, it.TS); err == nil && (first.IsZero() || t.Before(first)) {
			first = t
		}
	}
	if first.IsZero() || !first.Before(last) {
		first = last.Add(-24 * time.Hour)
	}
	slices.Sort(kinds)
	for i, k := range kinds {
		v.Lanes = append(v.Lanes, lane{k, 20 + i*step, 24 + i*step})
	}
	v.High = 20 + len(kinds)*step + 16
	across := func(t time.Time) int {
		share := float64(t.Sub(first)) / float64(last.Sub(first))
		return left + 8 + int(min(max(share, 0), 1)*float64(v.Wide-left-right-8))
	}
	for i, anchor := range []string{"start", "middle", "end"} {
		t := first.Add(time.Duration(i) * (last.Sub(first) / 2))
		v.Ticks = append(v.Ticks, tick{across(t), v.High - 6, t.Local().Format(time.DateOnly), anchor})
	}
	for _, it := range all {
		t, err := time.Parse(time.RFC3339, it.TS)
		if err != nil {
			t = first
		}
		d := dot{Item: it, X: across(t), Y: v.Lanes[slices.Index(kinds, it.Kind)].Y, When: when(it.TS)}
		d.Line = view.Excerpt(strings.ReplaceAll(it.Content, "\n", " "), 120)
		v.Dots = append(v.Dots, d)
	}
	return v, nil
}
