package web

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"ken/internal/app/owner"
	"ken/internal/memory"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// mostDots is how many memories are on a page of the timeline.
const mostDots = 1000

// How the timeline is drawn, in pixels up and down, and in hundredths of its width across.
const (
	laneHead  = 20   // a lane's name
	dotHigh   = 13   // a dot
	laneFoot  = 10   // below the line of a lane
	tickHigh  = 22   // the days
	dotWide   = 3.0  // a dot, where the page is narrowest
	edge      = 1.75 // on either side
	mostAbove = 6    // dots above each other
)

type timeline struct {
	Count   string
	High    int
	Lanes   []*lane
	Ticks   []tick
	TickY   int
	Dots    []dot
	Crowded bool // some dots stand for several

	Newer, Older string // where the pages beside this one are; "": there is none
}

type lane struct {
	Name     string
	TextY, Y int
	Dots     []dot

	ends []float64 // of the last dot at each height
}

type tick struct {
	X, Name, Anchor string
}

type dot struct {
	view.Item
	X          string
	Y          int
	Left       bool // nothing is drawn for it: others stand there
	When, Line string
	Learned    string // of what was learned: what it rests on, and when it was last of use

	at    float64
	above int // how many are below it
}

// timeline is time across, a lane for each kind; of more memories than a page has, those behind so many newer ones.
func (p *Page) timeline(a asked) (*timeline, error) {
	list, err := p.o.Owner.List(a.ctx, owner.Filter{Past: true})
	if err != nil {
		return nil, err
	}
	gone, err := p.o.Owner.Gone(a.ctx, math.MaxInt)
	if err != nil {
		return nil, err
	}
	all := append(list.Rows, gone...)
	slices.SortStableFunc(all, func(x, y view.Item) int { return cmp.Compare(y.TS, x.TS) })
	v, last := &timeline{Count: fmt.Sprintf("%d of %d", len(all), len(all))}, p.o.Now()
	if len(all) == 0 {
		v.Count = "Nothing yet"
		return v, nil
	}
	if total := len(all); total > mostDots {
		from, _ := strconv.Atoi(a.form.Get("from")) // what is no number is the newest
		from = min(max(from, 0), total-1)
		all = all[from:min(from+mostDots, total)]
		v.Count = fmt.Sprintf("%d to %d of %d, newest first", from+1, from+len(all), total)
		v.Newer, v.Older = beside(from, total)
		if newest, err := time.Parse(time.RFC3339, all[0].TS); err == nil && from > 0 {
			last = newest
		}
	}
	first := time.Time{}
	for _, it := range all {
		if t, err := time.Parse(time.RFC3339, it.TS); err == nil && (first.IsZero() || t.Before(first)) {
			first = t
		}
	}
	if first.IsZero() || !first.Before(last) {
		first = last.Add(-time.Hour)
	}
	v.ticks(first, last)
	lanes := map[string]*lane{}
	v.Dots = make([]dot, len(all))
	for i, it := range slices.Backward(all) { // what came first stands lowest
		t, err := time.Parse(time.RFC3339, it.TS)
		if err != nil {
			t = first
		}
		d := dot{Item: it, When: when(it.TS), Line: view.Excerpt(lineOf(it.Content), 120)}
		d.Learned = learned(it)
		d.at = across(float64(t.Sub(first)) / float64(last.Sub(first)))
		d.X = percent(d.at)
		l := lanes[it.Kind]
		if l == nil {
			l = &lane{Name: it.Kind}
			lanes[it.Kind] = l
			v.Lanes = append(v.Lanes, l)
		}
		l.place(&d)
		v.Crowded = v.Crowded || d.Left
		v.Dots[i] = d
	}
	v.stack()
	return v, nil
}

// beside are the pages of the timeline before and behind the one that begins there.
func beside(from, total int) (newer, older string) {
	const path = "/timeline?from="
	if from > 0 {
		newer = path + strconv.Itoa(max(from-mostDots, 0))
	}
	if from+mostDots < total {
		older = path + strconv.Itoa(from+mostDots)
	}
	return newer, older
}

// learned says of a lesson, a pattern, a convention or a rule what it rests on, what became of that, and
// when it was last of use; "" of all else, and of what is not to be shown any more.
func learned(it view.Item) string {
	if !memory.Kind(it.Kind).Is(memory.Learned) || it.Content == "" {
		return ""
	}
	const most = 6
	var parts []string
	refs := func(what string, ids []memory.ID) {
		line := what
		for i, id := range ids {
			if i == most {
				line += fmt.Sprintf(" and %d more", len(ids)-most)
				break
			}
			line += " #" + id.String()
		}
		if len(ids) > 0 {
			parts = append(parts, line)
		}
	}
	refs("rests on", it.Cites)
	refs("of that are gone", it.CitesGone)
	refs("of that changed since", it.CitesChanged)
	if src := it.Source; src != nil && src.Session != "" && len(it.Cites) == 0 {
		parts = append(parts, fmt.Sprintf("said in %s:%d", src.Session, src.Turn))
	}
	if it.Used == "" {
		return termsafe.Line(strings.Join(append(parts, "not used yet"), "; "))
	}
	return termsafe.Line(strings.Join(append(parts, "last used "+when(it.Used)), "; "))
}

// across is where a share of the time stands.
func across(share float64) float64 { return edge + min(max(share, 0), 1)*(100-2*edge) }

func percent(at float64) string { return strconv.FormatFloat(at, 'f', 2, 64) + "%" }

// place puts a dot on the line, or above those that stand where it would; where too many do, it is left out.
func (l *lane) place(d *dot) {
	for i, end := range l.ends {
		if d.at >= end {
			d.above, l.ends[i] = i, d.at+dotWide
			return
		}
	}
	if d.Left = len(l.ends) == mostAbove; !d.Left {
		d.above = len(l.ends)
		l.ends = append(l.ends, d.at+dotWide)
	}
}

// stack puts the lanes below each other, in the order of their names.
func (v *timeline) stack() {
	slices.SortFunc(v.Lanes, func(x, y *lane) int { return cmp.Compare(x.Name, y.Name) })
	for _, l := range v.Lanes {
		l.TextY = v.High + 14
		l.Y = v.High + laneHead + dotHigh*len(l.ends)
		v.High = l.Y + laneFoot
		for i := range v.Dots {
			if d := &v.Dots[i]; d.Kind == l.Name && !d.Left {
				d.Y = l.Y - dotHigh*d.above
				l.Dots = append(l.Dots, *d)
			}
		}
	}
	v.TickY = v.High + tickHigh - 6
	v.High += tickHigh
}

// ticks are three points in time: days, and where that would say the same again, times.
func (v *timeline) ticks(first, last time.Time) {
	const day, clock = time.DateOnly, "15:04"
	span := last.Sub(first)
	names := []string{day, day, day}
	switch on := func(t time.Time) string { return t.Local().Format(day) }; {
	case on(first) == on(last):
		names = []string{day + " " + clock, clock, clock}
	case span < 72*time.Hour:
		names = []string{"01-02 15:04", "01-02 15:04", "01-02 15:04"}
	}
	for i, anchor := range []string{"start", "middle", "end"} {
		t := first.Add(time.Duration(i) * (span / 2))
		v.Ticks = append(v.Ticks, tick{percent(float64(i) * 50), t.Local().Format(names[i]), anchor})
	}
}
