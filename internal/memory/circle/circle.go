// Package circle finds the circles of a graph: the strongly connected
// components, by Tarjan's algorithm.
package circle

// A Circle is some nodes each of which leads to each other one.
type Circle struct {
	First int // the node of the circle that was met first
	Size  int // how many nodes; 1 for a node that leads to itself
}

// Find looks at the nodes from 0 to nodes-1, each of which leads to its edges.
// It returns for each node the number of the circle it is in, from 1, or 0; and
// the circles by their number less 1.
func Find(nodes int, edges map[int32][]int32) (in []int32, circles []Circle) {
	in = make([]int32, nodes)
	index := make([]int, nodes) // in the order of visits, from 1; 0 = not visited
	low := make([]int, nodes)   // the least index that can be reached; 0 = done
	var stack []int32
	visits := 0
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
			circles = append(circles, Circle{int(i), size})
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
		if index[i] == 0 {
			visit(int32(i))
		}
	}
	return in, circles
}
