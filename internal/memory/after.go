package memory

import (
	"slices"
	"time"
)

// A sequence is what is known of the order of some lines beside their times: which of them was
// written by somebody who had seen which other.
type sequence struct {
	when []time.Time // by line: its effective time, which settle puts off
	// same has the lines before in the same file, which a line is not earlier than.
	// They make no circle.
	same map[int32][]int32
	seen map[int32][]int32 // what a line says that it follows: it is later
}

// settle puts off the time of each line to that of the lines that it follows. Lines
// that say to follow each other in a circle do not: what they say counts for none of
// them. The outcome depends on nothing but the lines.
func (q *sequence) settle() {
	edges := make(map[int32][]int32, len(q.same)+len(q.seen))
	for i, list := range q.same {
		edges[i] = append(edges[i], list...)
	}
	for i, list := range q.seen {
		edges[i] = append(edges[i], list...)
	}
	in, _ := rings(len(q.when), edges)
	done := make([]bool, len(q.when))
	// A chain may be longer than a stack of calls should be.
	path := make([]int32, 0, 16)
	for i := range q.when {
		if done[i] || edges[int32(i)] == nil {
			continue
		}
		path = append(path[:0], int32(i))
		for len(path) > 0 {
			at := path[len(path)-1]
			open := false
			for _, j := range edges[at] {
				if !done[j] && edges[j] != nil && q.leads(in, at, j) {
					path, open = append(path, j), true
					break
				}
			}
			if open {
				continue
			}
			q.putOff(in, at)
			done[at] = true
			path = path[:len(path)-1]
		}
	}
}

// leads reports whether what is known of the line j counts for the line at.
func (q *sequence) leads(in []int32, at, j int32) bool {
	return in[at] == 0 || in[at] != in[j] || slices.Contains(q.same[at], j)
}

// putOff brings the time of one line behind the times of those that it follows.
func (q *sequence) putOff(in []int32, at int32) {
	for _, j := range q.same[at] {
		if q.when[j].After(q.when[at]) {
			q.when[at] = q.when[j]
		}
	}
	for _, j := range q.seen[at] {
		// Times are of whole seconds: nothing else comes in between.
		if next := q.when[j].Add(1); (in[at] == 0 || in[at] != in[j]) && next.After(q.when[at]) {
			q.when[at] = next
		}
	}
}

// followChanges puts off changes to behind those of other logs that they come after.
func (s *State) followChanges() {
	byName := make(map[int32][]int32)
	q := sequence{when: make([]time.Time, len(s.changes)), same: make(map[int32][]int32), seen: make(map[int32][]int32)}
	for i := range s.changes {
		c := &s.changes[i]
		q.when[i] = c.when
		if c.rec.Kind.Shapes() && s.counts(c) {
			byName[c.name] = append(byName[c.name], int32(i))
		}
	}
	type file struct{ src, target int32 }
	last := make(map[file]int32) // by log and item: its last change so far
	for i := range s.changes {
		c := &s.changes[i]
		if !c.rec.Kind.Shapes() || !s.counts(c) {
			continue
		}
		for _, t := range c.targets {
			at := file{c.spot.src, t}
			if j, ok := last[at]; ok {
				q.same[int32(i)] = append(q.same[int32(i)], j)
			}
			last[at] = int32(i)
		}
		l := &s.logs[c.spot.src]
		after := c.rec.Details().After.In(l.Log)
		if l.limited() || after.IsZero() || after.Log == l.Log {
			continue
		}
		name, ok := s.index.Find(after)
		if !ok {
			continue
		}
		for _, j := range byName[name] {
			if slices.ContainsFunc(s.changes[j].targets, func(t int32) bool { return slices.Contains(c.targets, t) }) {
				q.seen[int32(i)] = append(q.seen[int32(i)], j)
			}
		}
	}
	if len(q.seen) == 0 {
		return
	}
	q.settle()
	for i := range s.changes {
		s.changes[i].when = q.when[i]
	}
}

// LastChange returns the newest line that shapes one of the items ids, if that line stands in a log
// other than the own one. The next change of the items comes after it. It returns the zero ID if
// there is no such line.
func (s *State) LastChange(ids ...ID) ID {
	wanted := make(map[int32]bool, len(ids))
	for _, id := range ids {
		if i, ok := s.index.Find(id.In(s.own)); ok {
			wanted[i] = true
		}
	}
	for i := len(s.changes) - 1; i >= 0; i-- {
		c := &s.changes[i]
		if c.rec.Kind.Shapes() && s.counts(c) && slices.ContainsFunc(c.targets, func(t int32) bool { return wanted[t] }) {
			if s.logs[c.spot.src].Own {
				return ID{}
			}
			return s.seen(c.name)
		}
	}
	return ID{}
}

// byTurns brings the holders of one key, which are in the order of their times, into
// the order in which they took the key: one that names another is the later one.
func (s *State) byTurns(holders []int32) {
	q := sequence{when: make([]time.Time, len(holders)), same: make(map[int32][]int32), seen: make(map[int32][]int32)}
	last := make(map[int32]int32) // by log
	for i, h := range holders {
		nd := &s.nodes[h]
		q.when[i] = s.when(nd)
		if j, ok := last[nd.src]; ok {
			q.same[int32(i)] = append(q.same[int32(i)], j)
		}
		last[nd.src] = int32(i)
		log := s.logs[nd.src].Log
		for _, id := range s.record(nd).Details().Supersedes {
			if id = id.In(log); id.Log == log {
				continue
			}
			n, ok := s.index.Find(id)
			if !ok {
				continue
			}
			if j := slices.Index(holders, s.names[n].item); j >= 0 {
				q.seen[int32(i)] = append(q.seen[int32(i)], int32(j))
			}
		}
	}
	if len(q.seen) == 0 {
		return
	}
	q.settle()
	order := make([]int, len(holders))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return q.when[a].Compare(q.when[b]) })
	before := slices.Clone(holders)
	for i, n := range order {
		holders[i] = before[n]
	}
}

// Elsewhere returns the active items of that scope and key in the other logs that only the person
// writes to, oldest first.
func (s *State) Elsewhere(scope Scope, key string) []ID {
	if scope == ScopeUser {
		scope = ""
	}
	var list []ID
	for i := range s.nodes {
		nd := &s.nodes[i]
		r, l := s.record(nd), &s.logs[nd.src]
		if nd.state == StatusActive && !l.Own && !l.limited() && r.Scope == scope && r.Key == key {
			list = append(list, s.seen(nd.name))
		}
	}
	return list
}
