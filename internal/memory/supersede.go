package memory

import "strings"

// A slot is what items of one key compete for. Items of a limited log compete
// only among themselves.
type slot struct {
	space int32 // of a limited log, else -1
	scope Scope
	key   string
}

// supersede hides the items that another active one replaces.
func (s *State) supersede() {
	slots := make(map[slot][]int32)
	named := make(map[int32][]int32) // by item: the items whose ids it supersedes
	forward := false                 // some item supersedes a later one, or itself
	for i := range s.nodes {
		nd := &s.nodes[i]
		if nd.state != StatusActive {
			continue
		}
		r := s.record(nd)
		if r.Key != "" {
			k := slot{-1, r.Scope, r.Key}
			if s.logs[nd.spot.src].limited() {
				k.space = s.srcSpace[nd.spot.src]
			}
			slots[k] = append(slots[k], int32(i))
		}
		for _, id := range r.Supersedes {
			t := s.resolve(nd.spot.src, id)
			if t < 0 || s.names[t].item < 0 {
				continue
			}
			j := s.names[t].item
			named[int32(i)] = append(named[int32(i)], j)
			forward = forward || j >= int32(i)
		}
	}
	circle := func(int32) int32 { return -1 }
	if forward {
		circle = s.findCircles(slots, named)
	}
	var hidden []int32
	for i, targets := range named {
		for _, j := range targets {
			if c := circle(i); c < 0 || c != circle(j) {
				hidden = append(hidden, j)
			}
		}
	}
	for _, items := range slots {
		// From the last to the first: each is hidden by a later one that is
		// not in its circle.
		last := items[len(items)-1]
		mixed := false // the items behind are not all of one circle
		for k := len(items) - 2; k >= 0; k-- {
			c := circle(items[k])
			if mixed || c < 0 || c != circle(last) {
				hidden = append(hidden, items[k])
				mixed = true
			}
		}
	}
	for _, i := range hidden {
		if st := &s.nodes[i].state; *st == StatusActive || *st == StatusWaiting {
			*st = StatusSuperseded
		}
	}
}

// findCircles finds the items that supersede each other in a circle, tells
// each circle, and returns a function from an item to its circle's number, -1
// for an item in none.
//
// These are the strongly connected components of the graph, by Tarjan's
// algorithm with a stack of its own: a chain of memories may be longer than
// the stack of a goroutine should be.
func (s *State) findCircles(slots map[slot][]int32, named map[int32][]int32) func(int32) int32 {
	edges := make([][]int32, len(s.nodes))
	for i, targets := range named {
		edges[i] = append(edges[i], targets...)
	}
	for _, items := range slots {
		for k := 1; k < len(items); k++ {
			edges[items[k]] = append(edges[items[k]], items[k-1])
		}
	}
	t := tarjan{edges: edges, index: make([]int32, len(edges)), low: make([]int32, len(edges)), of: make([]int32, len(edges))}
	for i := range edges {
		t.of[i] = -1
	}
	for i := range edges {
		if t.index[i] == 0 && len(edges[i]) > 0 {
			t.visit(int32(i))
		}
	}
	members := make(map[int32][]int32)
	for i, c := range t.of {
		if c >= 0 {
			members[c] = append(members[c], int32(i))
		}
	}
	for _, list := range members {
		s.tellCircle(list)
	}
	return func(i int32) int32 { return t.of[i] }
}

func (s *State) tellCircle(items []int32) {
	const most = 5
	var refs []string
	for _, i := range items[:min(len(items), most)] {
		refs = append(refs, s.nameOf(&s.nodes[i]).String())
	}
	what := strings.Join(refs, ", ")
	if len(items) > most {
		what += ", ..."
	}
	nd := &s.nodes[items[0]]
	s.tell(nd.spot.src, nd.entry, "a circle of items that supersede each other, which hides none of them: "+what)
}

type tarjan struct {
	edges      [][]int32
	index, low []int32 // index from 1; 0 = not visited
	of         []int32 // the circle, -1 = none
	stack      []int32 // visited, component not known yet
	count      int32
	circles    int32
}

// visit finds the components that can be reached from root.
func (t *tarjan) visit(root int32) {
	type frame struct{ node, edge int32 }
	frames := []frame{{node: root}}
	t.enter(root)
	for len(frames) > 0 {
		f := &frames[len(frames)-1]
		if int(f.edge) < len(t.edges[f.node]) {
			to := t.edges[f.node][f.edge]
			f.edge++
			switch {
			case t.index[to] == 0:
				t.enter(to)
				frames = append(frames, frame{node: to})
			case t.low[to] > 0:
				t.low[f.node] = min(t.low[f.node], t.index[to])
			}
			continue
		}
		n := f.node
		frames = frames[:len(frames)-1]
		if len(frames) > 0 {
			up := frames[len(frames)-1].node
			t.low[up] = min(t.low[up], t.low[n])
		}
		if t.low[n] == t.index[n] {
			t.leave(n)
		}
	}
}

func (t *tarjan) enter(n int32) {
	t.count++
	t.index[n], t.low[n] = t.count, t.count
	t.stack = append(t.stack, n)
}

// leave takes the component of n off the stack. It is a circle if it has
// several members, or one that names itself.
func (t *tarjan) leave(n int32) {
	i := len(t.stack) - 1
	for t.stack[i] != n {
		i--
	}
	list := t.stack[i:]
	t.stack = t.stack[:i]
	circle := len(list) > 1
	for _, to := range t.edges[n] {
		circle = circle || to == n
	}
	for _, m := range list {
		t.low[m] = 0 // off the stack
		if circle {
			t.of[m] = t.circles
		}
	}
	if circle {
		t.circles++
	}
}
