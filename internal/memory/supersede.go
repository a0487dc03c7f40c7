package memory

import (
	"fmt"
	"maps"
	"slices"
)

// A seat is what the items of one key compete for. Those of a limited log compete only with each
// other.
type seat struct {
	log   string // of a limited log
	scope Scope
	key   string
}

// supersede hides the items that another one replaces which counts or is forgotten:
// what replaces what does not depend on what is forgotten.
func (s *State) supersede() {
	seats := make(map[seat][]int32)
	edges := make(map[int32][]int32) // by item: those that it replaces
	forward := false                 // some item names a later one, or itself
	for i := range s.nodes {
		nd := &s.nodes[i]
		if nd.state != StatusActive {
			continue
		}
		r, l := s.record(nd), &s.logs[nd.src]
		for _, id := range r.Details().Supersedes {
			id = id.In(l.Log)
			n, ok := s.index.Find(id)
			if ok && s.names[n].item >= 0 && (id.Log == l.Log || !l.limited()) {
				j := s.names[n].item
				edges[int32(i)] = append(edges[int32(i)], j)
				forward = forward || j >= int32(i)
			}
		}
		if r.Key != "" {
			k := seat{scope: r.Scope, key: r.Key}
			if l.limited() {
				k.log = l.Log
			}
			seats[k] = append(seats[k], int32(i))
		}
	}
	for _, holders := range seats {
		if len(s.logs) > 1 && len(holders) > 1 {
			s.byTurns(holders)
		}
		for n := 1; n < len(holders); n++ {
			i, j := holders[n], holders[n-1]
			edges[i] = append(edges[i], j)
			forward = forward || j >= i
		}
	}
	var in []int32 // by item: its circle, 0 = in none; nil if there is none at all
	if forward {
		var found []ring
		in, found = rings(len(s.nodes), edges)
		for _, c := range found {
			s.tell(s.nodes[c.First].spot, fmt.Sprintf("in a circle of %d that supersede each other, and hide none of them", c.Size))
		}
	}
	hide := func(by int32, items ...int32) {
		for _, i := range items {
			st := &s.nodes[i].state
			if (in == nil || in[i] == 0 || in[i] != in[by]) && (*st == StatusActive || *st == StatusWaiting) {
				*st = StatusSuperseded
			}
		}
	}
	for i, replaced := range edges {
		hide(i, replaced...)
		if in != nil && in[i] != 0 {
			edges[i] = slices.DeleteFunc(replaced, func(j int32) bool { return in[j] == in[i] })
		}
	}
	for _, items := range seats {
		last := len(items) - 1
		hide(items[last], items[:last]...)
	}
	s.replaces = edges
}

// takeAlong forgets the items that forget lines name, and what each of them replaced.
func (s *State) takeAlong() {
	var named []int32
	for i := range s.nodes {
		if nd := &s.nodes[i]; s.names[nd.name].forgotten && nd.state != StatusUndone {
			if nd.state != StatusForgotten { // else it had replaced nothing
				named = append(named, int32(i))
			}
			nd.state = StatusForgotten
		}
	}
	for _, i := range named {
		s.beneath([]int32{i}, func(j int32) bool {
			nd := &s.nodes[j]
			if nd.state == StatusForgotten {
				return false // with all beneath it, by itself or along with another one
			}
			nd.state, s.along[j] = StatusForgotten, i
			return true
		})
	}
}

// beneath visits what the items replaced, and goes on to what that had replaced where visit returns
// true. It visits each item once, and skips unwritten ones.
func (s *State) beneath(items []int32, visit func(item int32) bool) {
	seen := make(map[int32]bool)
	for _, i := range items {
		seen[i] = true
	}
	for len(items) > 0 {
		i := items[len(items)-1]
		items = items[:len(items)-1]
		for _, j := range s.replaces[i] {
			if seen[j] || s.nodes[j].state == StatusUndone {
				continue
			}
			if seen[j] = true; visit(j) {
				items = append(items, j)
			}
		}
	}
}

// Replaced returns what the items ids replaced, what those had replaced, and so on, in the order of
// statement: everything that goes where they go. It includes what is forgotten already, and leaves
// out the items ids themselves, erased items and undone ones.
func (s *State) Replaced(ids ...ID) []Item {
	var from []int32
	for _, id := range ids {
		if n, ok := s.index.Find(id.In(s.own)); ok && s.names[n].item >= 0 {
			from = append(from, s.names[n].item)
		}
	}
	found := make(map[int32]bool)
	s.beneath(slices.Clone(from), func(j int32) bool {
		found[j] = true
		return true
	})
	for _, i := range from {
		delete(found, i)
	}
	items := make([]Item, len(found))
	for k, j := range slices.Sorted(maps.Keys(found)) {
		s.fill(&items[k], &s.nodes[j])
	}
	return items
}

// Along returns the forgotten item that had replaced id and took it along. It returns false if id
// was not forgotten that way.
func (s *State) Along(id ID) (ID, bool) {
	n, ok := s.index.Find(id.In(s.own))
	if !ok || s.names[n].item < 0 {
		return ID{}, false
	}
	i, ok := s.along[s.names[n].item]
	if !ok {
		return ID{}, false
	}
	return s.seen(s.nodes[i].name), true
}
