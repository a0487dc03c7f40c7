package memory

// markUndone finds the lines that count as unwritten.
//
// An undo counts unless it is undone itself, so whether a line is undone
// depends on whether the undos that name it are. The undos that nobody undoes
// are decided first, then those that they name, and so on. What is left then
// is undos that undo each other in a circle: none of them counts.
func (s *State) markUndone() {
	type undo struct {
		*change
		target  int32
		decided bool
	}
	var undos []undo
	named := make(map[int32][]int) // by name: the undos that have it, mostly one
	open := make(map[int32]int)    // by name: how many undos of it are not decided
	for i := range s.changes {
		c := &s.changes[i]
		if c.rec.Kind != KindUndo || !s.counts(c) {
			continue
		}
		for t := range s.targets(c.rec, c.spot.src) {
			named[c.name] = append(named[c.name], len(undos))
			undos = append(undos, undo{change: c, target: t})
			open[t]++
		}
	}
	var ready []int
	settle := func(name int32) {
		if open[name] > 0 && !s.names[name].undone {
			return
		}
		for _, u := range named[name] {
			if !undos[u].decided {
				undos[u].decided = true
				ready = append(ready, u)
			}
		}
	}
	for _, u := range undos {
		settle(u.name)
	}
	for len(ready) > 0 {
		u := undos[ready[len(ready)-1]]
		ready = ready[:len(ready)-1]
		open[u.target]--
		if !s.names[u.name].undone {
			s.names[u.target].undone = true
		}
		settle(u.target)
	}
	for _, u := range undos {
		if !u.decided {
			s.tell(u.spot.src, s.entry(u.spot), "part of a circle of undos, none of which counts")
		}
	}
}
