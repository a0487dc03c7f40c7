package memory

import "fmt"

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
		r, l := nd.record(), &s.logs[nd.src]
		for _, id := range r.Supersedes {
			id = id.In(l.Log)
			n, ok := s.index[id]
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
			if before := seats[k]; len(before) > 0 {
				edges[int32(i)] = append(edges[int32(i)], before[len(before)-1])
			}
			seats[k] = append(seats[k], int32(i))
		}
	}
	circle := make([]int32, len(s.nodes)) // 0 = in none
	if forward {
		circle = s.findCircles(edges)
	}
	hide := func(by int32, items ...int32) {
		for _, i := range items {
			st := &s.nodes[i].state
			if (circle[i] == 0 || circle[i] != circle[by]) && (*st == StatusActive || *st == StatusWaiting) {
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

// findCircles returns for each item the number of the circle that it is in,
// and tells the circles. They are the strongly connected components of the
// graph, found by Tarjan's algorithm.
func (s *State) findCircles(edges map[int32][]int32) []int32 {
	circle := make([]int32, len(s.nodes))
	index := make([]int, len(s.nodes)) // in the order of visits, from 1; 0 = not visited
	low := make([]int, len(s.nodes))   // the least index that can be reached; 0 = done
	var stack []int32
	visits, circles := 0, int32(0)
	var visit func(i int32)
	visit = func(i int32) {
		visits++
		index[i], low[i] = visits, visits
		stack = append(stack, i)
		size := 0 // of the circle
		for _, j := range edges[i] {
			if j == i {
				size = 1
			}
			if index[j] == 0 {
				visit(j)
			}
			if low[j] != 0 {
				low[i] = min(low[i], low[j])
			}
		}
		if low[i] < index[i] {
			return
		}
		top := len(stack) - 1
		for stack[top] != i {
			top--
		}
		if n := len(stack) - top; n > 1 {
			size = n
		}
		if size > 0 {
			circles++
			s.tell(s.nodes[i].spot, fmt.Sprintf("in a circle of %d that supersede each other, and hide none of them", size))
		}
		for _, m := range stack[top:] {
			low[m] = 0
			if size > 0 {
				circle[m] = circles
			}
		}
		stack = stack[:top]
	}
	for i := range s.nodes {
		if index[i] == 0 {
			visit(int32(i))
		}
	}
	return circle
}
