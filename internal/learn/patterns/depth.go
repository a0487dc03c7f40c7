package patterns

import (
	"ken/internal/memory"
)

// Depth returns how many times over a memory was made of others: 0 if it cites none that s
// has, else 1 more than the deepest of those. What cites itself, by whatever way, as a hand
// edit can have it, counts once.
func Depth(s *memory.State, it memory.Item) int {
	return depth(s, it, map[memory.ID]bool{}, make(map[memory.ID]int))
}

func depth(s *memory.State, it memory.Item, above map[memory.ID]bool, known map[memory.ID]int) int {
	if d, ok := known[it.ID]; ok {
		return d
	}
	above[it.ID] = true
	d := 0
	for _, id := range Cited(s, it) {
		if cited, status := s.Get(id); status != memory.StatusUnknown && status != memory.StatusErased && !above[id] {
			d = max(d, 1+depth(s, cited, above, known))
		}
	}
	delete(above, it.ID)
	known[it.ID] = d
	return d
}

// Cited returns what a memory cites, by the names that s has for them.
func Cited(s *memory.State, it memory.Item) []memory.ID {
	cites := it.Record.Details().Cites
	ids := make([]memory.ID, len(cites))
	for i, id := range cites {
		ids[i] = id.In(it.Log).From(s.OwnLog())
	}
	return ids
}
