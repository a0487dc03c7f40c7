package memory

import (
	"fmt"
)

// A seat is what items of one key compete for. Those of a limited log compete
// only among themselves.
type seat struct {
	log   string // of a limited log
	scope Scope
	key   string
}

// supersede hides the items that another active one replaces.
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
	}
	for _, items := range seats {
		last := len(items) - 1
		hide(items[last], items[:last]...)
	}
}
