package memory

// markUndone finds the lines that count as unwritten.
//
// An undo counts unless it is undone itself, so whether a line is undone
// depends on whether the undos that name it are. The undos that nobody undoes
// are decided first, then those that they name, and so on. What is left then
// is undos that undo each other in a circle: none of them counts.
func (s *State) markUndone() {
	named := make(map[int32][]*change) // by name: the undos that have it, mostly one
	open := make(map[int32]int)        // by name: how many undos of it are not decided
	for i := range s.changes {
		if c := &s.changes[i]; c.rec.Kind == KindUndo && s.counts(c) {
			named[c.name] = append(named[c.name], c)
			for _, t := range c.targets {
				open[t]++
			}
		}
	}
	var ready []*change
	decide := func(name int32) {
		if open[name] == 0 || s.names[name].undone {
			ready = append(ready, named[name]...)
			delete(named, name)
		}
	}
	for i := range s.changes {
		decide(s.changes[i].name)
	}
	for len(ready) > 0 {
		u := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		for _, t := range u.targets {
			open[t]--
			if !s.names[u.name].undone {
				s.names[t].undone = true
			}
			decide(t)
		}
	}
	for _, undos := range named {
		for _, u := range undos {
			s.tell(u.spot, "part of a circle of undos, none of which counts")
		}
	}
}
