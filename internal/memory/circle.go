package memory

// A ring is a circle of nodes: each leads to every other one.
type ring struct {
	First int // the node of the circle that was met first
	Size  int // how many nodes; 1 for a node that leads to itself
}

// rings finds the circles among the nodes 0 to nodes-1, each of which leads to its edges. in has
// for each node the number of its circle, counted from 1, or 0. circles has the circles by that
// number less 1.
func rings(nodes int, edges map[int32][]int32) (in []int32, circles []ring) {
	in = make([]int32, nodes)
	index := make([]int, nodes) // in the order of visits, from 1; 0 = not visited
	low := make([]int, nodes)   // the least index that can be reached; 0 = done
	var stack []int32
	// A frame is a node that is being visited. They stand in a slice of their own: a
	// chain of a million items is deeper than a stack of calls should be.
	type frame struct {
		node int32
		next int // of its edges
		self bool
	}
	var path []frame
	visits := 0
	enter := func(i int32) {
		visits++
		index[i], low[i] = visits, visits
		stack = append(stack, i)
		path = append(path, frame{node: i})
	}
	leave := func(f frame) {
		i := f.node
		if low[i] < index[i] {
			return
		}
		top := len(stack) - 1
		for stack[top] != i {
			top--
		}
		size := len(stack) - top // of the circle
		if size == 1 && !f.self {
			size = 0
		}
		if size > 0 {
			circles = append(circles, ring{int(i), size})
		}
		for _, m := range stack[top:] {
			low[m] = 0
			if size > 0 {
				in[m] = int32(len(circles))
			}
		}
		stack = stack[:top]
	}
	for i := range nodes {
		if index[i] != 0 {
			continue
		}
		enter(int32(i))
		for len(path) > 0 {
			f := &path[len(path)-1]
			if f.next < len(edges[f.node]) {
				j := edges[f.node][f.next]
				f.self = f.self || j == f.node
				if index[j] == 0 {
					enter(j) // and back to this edge afterwards
					continue
				}
				if low[j] != 0 {
					low[f.node] = min(low[f.node], low[j])
				}
				f.next++
				continue
			}
			done := *f
			path = path[:len(path)-1]
			leave(done)
		}
	}
	return in, circles
}
