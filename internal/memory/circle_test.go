package memory

import (
	"testing"

	"pgregory.net/rapid"
)

// TestRings compares with the definition: two nodes are in one circle if each can
// be reached from the other, a node alone if it leads to itself.
func TestRings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 7).Draw(t, "nodes")
		edges := map[int32][]int32{}
		reach := make([][]bool, n)
		for i := range reach {
			reach[i] = make([]bool, n)
		}
		for range rapid.IntRange(0, 2*n).Draw(t, "edges") {
			i, j := rapid.IntRange(0, n-1).Draw(t, "from"), rapid.IntRange(0, n-1).Draw(t, "to")
			edges[int32(i)] = append(edges[int32(i)], int32(j))
			reach[i][j] = true
		}
		for k := range n {
			for i := range n {
				for j := range n {
					reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
				}
			}
		}
		in, circles := rings(n, edges)
		sizes := make([]int, len(circles))
		for i := range n {
			if (in[i] > 0) != reach[i][i] {
				t.Fatalf("%v: node %d is in circle %d", edges, i, in[i])
			}
			if in[i] > 0 {
				sizes[in[i]-1]++
			}
			for j := range i {
				if same := in[i] > 0 && in[i] == in[j]; same != (reach[i][j] && reach[j][i]) {
					t.Fatalf("%v: nodes %d and %d are in circles %d and %d", edges, j, i, in[j], in[i])
				}
			}
		}
		for c, size := range sizes {
			if circles[c].Size != size || in[circles[c].First] != int32(c+1) {
				t.Fatalf("%v: circle %d is told as %+v and has %d nodes", edges, c+1, circles[c], size)
			}
		}
	})
}

// TestDeep: a chain of a million nodes costs no stack, whether it ends or closes.
//
//ken:unraced
func TestDeep(t *testing.T) {
	t.Parallel()
	const n = 1_000_000
	edges := make(map[int32][]int32, n)
	for i := range int32(n - 1) {
		edges[i] = []int32{i + 1}
	}
	if _, circles := rings(n, edges); len(circles) != 0 {
		t.Errorf("a chain has circles: %v", circles)
	}
	edges[n-1] = []int32{0}
	if in, circles := rings(n, edges); len(circles) != 1 || circles[0].Size != n || in[n/2] != 1 {
		t.Errorf("a ring has circles: %v", circles)
	}
}
