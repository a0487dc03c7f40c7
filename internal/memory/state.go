package memory

import (
	"slices"
	"time"
)

// A State is what a union of logs means. It never changes, and may be used by
// several goroutines at a time. What its methods return shares slices with
// it: they must not be changed.
type State struct {
	logs     []Lines // by name
	srcSpace []int32 // by log: the space of its names
	own      int32   // the space of the own log, -1 if it is not among them
	spaces   []space
	spaceOf  map[string]int32
	dense    int64 // numbers below go into space.small
	names    []name
	lines    [][]int32 // by log and line: the line's name, -1 if it holds no record

	nodes    []node   // items in the order of statement
	changes  []change // changing lines in their order
	forms    []form
	newest   []int32 // active items, newest first
	hidden   Hidden
	problems []Problem
}

// Items returns the active items that no other one supersedes, newest first:
// by ts, of two at the same time the later line first. A line without ts
// counts as of the largest ts before it in its log. Items that are not
// Current are among them.
func (s *State) Items() []Item {
	items := make([]Item, len(s.newest))
	for i, n := range s.newest {
		s.fill(&items[i], &s.nodes[n])
	}
	return items
}

// Len returns the number of active items.
func (s *State) Len() int { return len(s.newest) }

// Waiting returns the items that no human act has let in yet, in the order of
// statement.
func (s *State) Waiting() []Item {
	var items []Item
	for i := range s.nodes {
		if s.nodes[i].state == StatusWaiting {
			var it Item
			s.fill(&it, &s.nodes[i])
			items = append(items, it)
		}
	}
	return items
}

// Get returns the item of that id and how it stands. An id without a log is
// one of the own log. The item is filled unless the status is StatusErased,
// StatusUnknown, StatusChange, or StatusUndone of a changing line.
func (s *State) Get(id ID) (Item, Status) {
	var it Item
	n := s.lookup(id)
	if n < 0 {
		return it, StatusUnknown
	}
	status := s.status(n)
	if item := s.names[n].item; item >= 0 && status != StatusErased {
		s.fill(&it, &s.nodes[item])
	}
	return it, status
}

// Status tells how an id stands.
func (s *State) Status(id ID) Status {
	n := s.lookup(id)
	if n < 0 {
		return StatusUnknown
	}
	return s.status(n)
}

func (s *State) status(i int32) Status {
	n := &s.names[i]
	switch {
	case n.erased:
		return StatusErased
	case !n.written:
		return StatusUnknown
	case n.undone:
		return StatusUndone
	case n.item >= 0:
		return s.nodes[n.item].state
	}
	return StatusChange
}

// MaxID returns the largest number that any line names as an id or a target of
// a line of that log: the next line's id is one more. Lines that cannot be
// read count, as far as they can be understood, and lines of the person's
// other logs. "" is the own log.
func (s *State) MaxID(log string) int64 {
	sp, ok := s.spaceOf[log]
	if log == "" && s.own >= 0 {
		sp, ok = s.own, true
	}
	if !ok {
		return 0
	}
	return s.spaces[sp].most
}

// Undoable returns the newest line of the own log that an undo without target
// means: one that is no undo, not undone and not erased. It may state or
// change; false if there is none.
func (s *State) Undoable() (Change, bool) {
	for src := len(s.logs) - 1; src >= 0; src-- {
		if !s.logs[src].Own {
			continue
		}
		entries := s.logs[src].Entries
		for pos := len(entries) - 1; pos >= 0; pos-- {
			at := spot{int32(src), int32(pos)}
			r := &entries[pos].Record
			switch r.Kind {
			case "", KindUndo, KindErased, KindTouch:
				continue
			}
			n := &s.names[s.lineName(at)]
			if !n.undone && !n.erased {
				return s.changeAt(at), true
			}
		}
	}
	return Change{}, false
}

// History returns the lines that state or change an item, oldest first in the
// order in which they apply, with the lines that undo one of them. Of an
// erased item the lines that hold its text are left out.
func (s *State) History(id ID) []Change {
	item := s.lookup(id)
	if item < 0 {
		return nil
	}
	erased := s.names[item].erased
	wanted := map[int32]bool{item: true}
	chosen := make(map[spot]bool)
	for grown := true; grown; {
		grown = false
		for i := range s.changes {
			c := &s.changes[i]
			if chosen[c.spot] || erased && c.rec.Kind == KindEdit || !s.concerns(c, item, wanted) {
				continue
			}
			chosen[c.spot] = true
			wanted[c.name] = true
			grown = true
		}
	}
	type dated struct {
		spot spot
		when time.Time
	}
	var lines []dated
	for src := range s.logs {
		for at, when := range s.walk(int32(src)) {
			states := !erased && s.lineName(at) == item && s.entry(at).Record.States()
			if states || chosen[at] {
				lines = append(lines, dated{at, when})
			}
		}
	}
	slices.SortStableFunc(lines, func(a, b dated) int { return s.before(a.when, a.spot, b.when, b.spot) })
	list := make([]Change, len(lines))
	for i, l := range lines {
		list[i] = s.changeAt(l.spot)
	}
	return list
}

// concerns reports whether c changes the item, or undoes a line that does.
func (s *State) concerns(c *change, item int32, wanted map[int32]bool) bool {
	if c.name == item {
		return true
	}
	for t := range s.targets(c.rec, c.spot.src) {
		if t == item || c.rec.Kind == KindUndo && wanted[t] {
			return true
		}
	}
	return false
}

// HiddenTurns tells which turns of conversations must not come back by way of
// search: those that taught an item that is forgotten or erased now, even if
// they taught something else too, and the sessions that forget lines name. An
// item whose source names no turn hides none.
func (s *State) HiddenTurns() Hidden { return s.hidden }

// Problems returns what a person should know about the lines: those that
// cannot be read, what was ignored on others, ids that several lines have,
// circles, and targets that no line has. They are in the order of the logs'
// names, then of the lines.
func (s *State) Problems() []Problem { return s.problems }

// lookup returns the index of the name that id stands for, seen from the own
// log, -1 if there is none.
func (s *State) lookup(id ID) int32 {
	if id.IsZero() {
		return -1
	}
	sp, ok := s.own, s.own >= 0
	if id.Log != "" {
		sp, ok = s.spaceOf[id.Log]
	}
	if !ok {
		return -1
	}
	return s.find(sp, id)
}

func (s *State) entry(at spot) *Entry { return &s.logs[at.src].Entries[at.pos] }

// nameOf returns the id of an item as seen from the own log.
func (s *State) nameOf(nd *node) ID { return s.seen(nd.spot.src, nd.entry.Record.ID) }

func (s *State) seen(src int32, id ID) ID {
	id.Log = ""
	if s.srcSpace[src] != s.own {
		id.Log = s.logs[src].Log
	}
	return id
}

// fill makes the item of a node.
func (s *State) fill(it *Item, nd *node) {
	r := s.record(nd)
	it.ID = s.nameOf(nd)
	it.Record = *r
	it.Log = s.logs[nd.spot.src].Log
	it.Origin, it.Record.By = s.trust(nd)
	if s.logs[nd.spot.src].limited() {
		it.Record.Review = 0
	}
	it.Phase, it.Tier, it.Pinned, it.Importance = r.Phase, r.Tier, r.Pinned, r.Importance
	if it.Phase == "" {
		it.Phase = r.Kind.DefaultPhase()
	}
	if it.Tier == "" {
		it.Tier = TierHot
	}
	if it.Importance == 0 {
		it.Importance = DefaultImportance
	}
	it.Changed = r.Time
	if nd.form >= 0 {
		f := &s.forms[nd.form]
		it.Changed, it.Edited = f.changed, f.edited
	}
	it.Line, it.Hash, it.Order = nd.entry.Line, nd.entry.Hash, int(nd.order)
}

func (s *State) changeAt(at spot) Change {
	e := s.entry(at)
	l := &s.logs[at.src]
	return Change{
		ID:     s.seen(at.src, e.Record.ID),
		Log:    l.Log,
		Record: e.Record,
		Line:   e.Line,
		Undone: s.names[s.lineName(at)].undone,
		Waits:  !l.acts(&e.Record),
	}
}
