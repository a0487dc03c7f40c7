package memory

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"time"
)

// A State is what a union of logs means. It never changes, and may be used by
// several goroutines at a time. What its methods return shares slices and maps
// with it: they must not be changed.
type State struct {
	logs  []Lines // by name
	own   string  // the name of the own log
	index idIndex
	names []name
	loose map[int32]ID     // by name: of those that had no line when they were named
	lines [][]int32        // by log and line: the line's name, -1 if it holds no record
	most  map[string]int64 // by log: the largest number named as id or target

	nodes    []node            // items in the order of statement
	changes  []change          // changing lines in their order
	newest   []int32           // active items, newest first
	replaces map[int32][]int32 // by item: those that it replaces, or would if it were not forgotten
	along    map[int32]int32   // by item that is forgotten with one that replaced it: that one
	hidden   Hidden
	problems []Problem
}

// OwnLog returns the name of the own log; "" if it has none yet.
func (s *State) OwnLog() string { return s.own }

// Logs returns what the state was folded from, by name.
func (s *State) Logs() []Lines { return s.logs }

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

// Item returns number n of Items, counted from 0. It makes the item when it is called, so a caller
// that goes through a large memory holds one item at a time.
func (s *State) Item(n int) (it Item) {
	s.fill(&it, &s.nodes[s.newest[n]])
	return it
}

// Waiting returns the items that no human act has let in yet.
func (s *State) Waiting() []Item { return s.With(StatusWaiting) }

// With returns the items of these statuses, in the order of statement.
func (s *State) With(statuses ...Status) []Item { return slices.Collect(s.Each(statuses...)) }

// Each yields what With returns, one after the other.
func (s *State) Each(statuses ...Status) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		for i := range s.nodes {
			if !slices.Contains(statuses, s.nodes[i].state) {
				continue
			}
			var it Item
			if s.fill(&it, &s.nodes[i]); !yield(it) {
				return
			}
		}
	}
}

// Reworded yields each text that an edit replaced, with its item, for the items of these statuses.
// The texts of one item come oldest first.
func (s *State) Reworded(statuses ...Status) iter.Seq2[Item, string] {
	return func(yield func(Item, string) bool) {
		for i := range s.nodes {
			nd := &s.nodes[i]
			if nd.form == nil || !slices.Contains(statuses, nd.state) {
				continue
			}
			if len(nd.form.was) == 0 {
				continue
			}
			var it Item
			s.fill(&it, nd)
			for _, text := range nd.form.was {
				if !yield(it, text) {
					return
				}
			}
		}
	}
}

// Get returns the item of that id and how it stands. An id without a log is
// one of the own log. The item and its Record are zero if the status is erased
// or unknown, or if the line states nothing.
func (s *State) Get(id ID) (Item, Status) {
	it := Item{Record: new(Record)}
	n, ok := s.index.Find(id.In(s.own))
	status := s.Status(id)
	if ok && s.names[n].item >= 0 {
		s.fill(&it, &s.nodes[s.names[n].item])
	}
	return it, status
}

// Status returns the status of an id.
func (s *State) Status(id ID) Status {
	i, ok := s.index.Find(id.In(s.own))
	if !ok {
		return StatusUnknown
	}
	switch n := &s.names[i]; {
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
	if log == "" {
		log = s.own
	}
	return s.most[log]
}

// Line returns the line that has the id, stating or changing; if several have it, the last one. It
// returns false if no line that can be read has the id. An erased line is found as what the erasing
// left of it.
func (s *State) Line(id ID) (Change, bool) {
	i, ok := s.index.Find(id.In(s.own))
	if !ok || !s.names[i].written {
		return Change{}, false
	}
	return s.changeAt(s.names[i].last), true
}

// Undoable returns the newest line of the own log that an undo without a target means. The line is
// not undone and not erased, and is no undo itself, except one that returns to earlier rules:
// whoever wrote that meant the return (see Record.Rollback). It returns false if there is none.
func (s *State) Undoable() (Change, bool) {
	for src := len(s.logs) - 1; src >= 0; src-- {
		if !s.logs[src].Own {
			continue
		}
		for pos := len(s.lines[src]) - 1; pos >= 0; pos-- {
			at := spot{int32(src), int32(pos)}
			id := s.lines[src][pos]
			switch r := s.entry(at).Record; {
			case r.Kind == KindUndo && r.returns():
			case r.Kind == "", r.Kind == KindUndo, r.Kind == KindErased, r.Kind == KindTouch:
				continue
			}
			if n := &s.names[id]; !n.undone && !n.erased {
				return s.changeAt(at), true
			}
		}
	}
	return Change{}, false
}

// History returns the lines that state or change an item, oldest first in the
// order in which they apply, with the lines that undo one of them. Of an
// erased item the lines that held its text are left out.
func (s *State) History(id ID) []Change {
	item, ok := s.index.Find(id.In(s.own))
	if !ok {
		return nil
	}
	erased := s.names[item].erased
	wanted := map[int32]bool{item: true} // the names of lines in the history
	for grown := true; grown; {
		grown = false
		for i := range s.changes {
			c := &s.changes[i]
			about := func(t int32) bool { return t == item || c.rec.Kind == KindUndo && wanted[t] }
			if !wanted[c.name] && slices.ContainsFunc(c.targets, about) {
				wanted[c.name], grown = true, true
			}
		}
	}
	put := make(map[spot]time.Time) // by line: see followChanges
	for i := range s.changes {
		if c := &s.changes[i]; wanted[c.name] {
			put[c.spot] = c.when
		}
	}
	var lines []moment
	for src := range s.lines {
		for id, at := range s.moments(src) {
			if !wanted[id] {
				continue
			}
			if when, ok := put[at.spot]; ok {
				at.when = when
			}
			if r := s.entry(at.spot).Record; !erased || r.Kind.Changes() && r.Kind != KindEdit {
				lines = append(lines, at)
			}
		}
	}
	slices.SortFunc(lines, moment.compare)
	list := make([]Change, len(lines))
	for i, at := range lines {
		list[i] = s.changeAt(at.spot)
	}
	return list
}

// Changes yields the lines that change others, in the order in which they apply:
// those that count for nothing, since they wait or were undone, among them.
func (s *State) Changes() iter.Seq[Change] {
	return func(yield func(Change) bool) {
		for i := range s.changes {
			if !yield(s.changeAt(s.changes[i].spot)) {
				return
			}
		}
	}
}

// HiddenTurns returns the turns of conversations that search must not bring back. These are the
// turns that taught an item that is forgotten or erased now, even if they taught something else
// too, and the sessions that forget lines name. An item whose source names no turn hides none.
func (s *State) HiddenTurns() Hidden { return s.hidden }

// Problems returns what a person should know about the lines: those that
// cannot be read, what was ignored on others, ids that several lines have,
// circles, and targets that no line has. They are in the order of the logs'
// names, then of the lines.
func (s *State) Problems() []Problem { return s.problems }

func (s *State) entry(at spot) *Entry { return &s.logs[at.src].Entries[at.pos] }

// seen returns a name's id as seen from the own log.
func (s *State) seen(name int32) ID { return s.id(name).From(s.own) }

// fill makes the item of a node.
func (s *State) fill(it *Item, nd *node) {
	l, r := &s.logs[nd.spot.src], s.record(nd)
	it.ID, it.Record, it.Log = s.seen(nd.name), r, l.Log
	it.Origin, _ = s.trust(nd)
	if l.limited() {
		rec := *r
		rec.By, rec.Review = l.By, 0
		it.Record = &rec
	}
	it.Phase, it.Tier = r.Kind.DefaultPhase(), TierHot
	if d := r.Detail; d != nil {
		it.Phase, it.Tier = cmp.Or(d.Phase, it.Phase), cmp.Or(d.Tier, it.Tier)
	}
	it.Importance = cmp.Or(r.Importance, DefaultImportance)
	it.Pinned, it.Changed = r.Pinned, r.Time
	if nd.form != nil {
		it.Changed, it.Edited = nd.form.changed, nd.form.edited
	}
	e := s.entry(nd.spot)
	it.Line, it.Sum, it.Order = e.Line, e.Sum, int(nd.order)
}

func (s *State) changeAt(at spot) Change {
	e, l, id := s.entry(at), &s.logs[at.src], s.lines[at.src][at.pos]
	return Change{
		ID: s.seen(id), Log: l.Log, Record: *e.Record, Line: e.Line,
		Undone: s.names[id].undone, Waits: e.Record.Kind.Changes() && !l.acts(e.Record),
	}
}

// tell notes a problem of a line.
func (s *State) tell(at spot, what string) {
	e := s.entry(at)
	p := Problem{Log: s.logs[at.src].Log, Line: e.Line, What: what, Unreadable: e.Bad != nil}
	switch {
	case e.Bad != nil:
		p.Line = max(e.Line, e.Bad.Line)
	case e.Meta == nil:
		p.ID = e.Record.ID.In(p.Log).From(s.own)
	}
	s.problems = append(s.problems, p)
}

// checkTargets notes the changes that name a line which its log, one of those
// that are here, does not have, and puts the problems in order.
func (s *State) checkTargets() {
	for i := range s.changes {
		c := &s.changes[i]
		for _, t := range c.targets {
			n := &s.names[t]
			here := func(l Lines) bool { return l.Log == s.id(t).Log }
			if !n.written && !n.erased && c.rec.Kind != KindTouch && s.counts(c) && slices.ContainsFunc(s.logs, here) {
				s.tell(c.spot, "target "+s.seen(t).String()+" is no line of its log")
				s.problems[len(s.problems)-1].Remark = true
			}
		}
	}
	slices.SortStableFunc(s.problems, func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.Log, b.Log), cmp.Compare(a.Line, b.Line), strings.Compare(a.What, b.What))
	})
}
