package asof

import (
	"cmp"
	"iter"
	"slices"
	"time"

	"ken/internal/memory"
)

// A Listing is what All returns, each item made when it is asked for: of a large memory
// all of them together take more room than their lines.
type Listing struct {
	state  *memory.State
	old    []memory.Item // superseded ones
	places []listed
	words  []string // the statuses
}

// listed is an item of a Listing: its number in the state, or, below 0, in the list of old
// ones, from -1 on, with the number of its status.
type listed struct {
	n      int32
	status uint8
}

// List returns what All returns.
func List(s *memory.State, at time.Time) *Listing {
	l := &Listing{state: s, places: make([]listed, 0, s.Len())}
	valid := Valid(s, at)
	sorted, last := true, memory.Item{}
	add := func(n int, it memory.Item) {
		sorted = sorted && (len(l.places) == 0 || newer(last.Record.Time, it.Record.Time, last.Order, it.Order) <= 0)
		word := status(s, valid, it, at)
		k := slices.Index(l.words, word)
		if k < 0 {
			k, l.words = len(l.words), append(l.words, word)
		}
		l.places = append(l.places, listed{int32(n), uint8(k)})
		last = it
	}
	for n := range s.Len() {
		add(n, s.Item(n))
	}
	for it := range s.Each(memory.StatusSuperseded) {
		if valid.Status(it.ID) == memory.StatusWaiting {
			continue
		}
		l.old = append(l.old, it)
		add(-len(l.old), it)
	}
	if !sorted {
		l.sort()
	}
	return l
}

// newer compares two items by their times and places in the order of statement: below 0 if
// the first one comes first.
func newer(a, b time.Time, placeA, placeB int) int {
	return cmp.Or(b.Compare(a), cmp.Compare(placeB, placeA))
}

func (l *Listing) sort() {
	type timed struct {
		listed
		order int32
		when  time.Time
	}
	list := make([]timed, len(l.places))
	for i, p := range l.places {
		it := l.item(p)
		list[i] = timed{p, int32(it.Order), it.Record.Time}
	}
	slices.SortStableFunc(list, func(a, b timed) int { return newer(a.when, b.when, int(a.order), int(b.order)) })
	for i := range list {
		l.places[i] = list[i].listed
	}
}

func (l *Listing) item(p listed) memory.Item {
	if p.n < 0 {
		return l.old[-p.n-1]
	}
	return l.state.Item(int(p.n))
}

// Len returns the number of items.
func (l *Listing) Len() int { return len(l.places) }

// Item returns the item of that number, from 0.
func (l *Listing) Item(n int) Standing {
	return Standing{l.item(l.places[n]), l.words[l.places[n].status]}
}

// Each yields the items in their order.
func (l *Listing) Each() iter.Seq[Standing] {
	return func(yield func(Standing) bool) {
		for n := range l.places {
			if !yield(l.Item(n)) {
				return
			}
		}
	}
}

// Keep takes those out that keep says no to.
func (l *Listing) Keep(keep func(Standing) bool) {
	kept := l.places[:0]
	for n, p := range l.places {
		if keep(l.Item(n)) {
			kept = append(kept, p)
		}
	}
	l.places = kept
}
