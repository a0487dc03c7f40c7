package memory

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"time"
)

// Lines is what one log holds.
type Lines struct {
	// Log is the log's name. Only the own log may still be without one. Two
	// Lines of one name count as one log, in the order in which they are given.
	Log string
	// Own marks the log of this device: its items are named without the log.
	Own bool
	// Ceiling is the most that a line of the log is trusted, whatever it says
	// itself; empty means as written. A log with a ceiling below the user is
	// one that others can write to: what its lines say of by does not count,
	// and they change and supersede only items of their own log.
	Ceiling Origin
	// By is the human act that lets in a log with a ceiling as a whole
	// ("trust:<digest>"); empty if there was none, and then its items wait.
	By string
	// Entries are the log's lines in file order. The state keeps them: they
	// must not be changed after the fold. Appending to the slice is no change.
	Entries []Entry
}

// limited reports whether others than the person can write to the log.
func (l *Lines) limited() bool { return l.Ceiling.Rank() > 0 }

// acts reports whether r, a changing line of the log, may have an effect. A
// limited log is let in as a whole or not at all, and what its lines change is
// their own log's.
func (l *Lines) acts(r *Record) bool {
	return l.limited() || r.Origin.Rank() == 0 || r.By != ""
}

// Fold makes the state of a union of logs. It reads no clock: items that have
// expired are in the state, and Item.Current tells. Neither the order of the
// arguments nor the time at which lines reached this device matter.
//
// The rules, in the order in which they apply:
//
//  1. Erased lines are a set. What one names is gone, and nothing revives it.
//  2. Undo lines are a set. A line that is named by an undo that counts is
//     unwritten. An undo that is itself undone does not count; undos that undo
//     each other in a circle all do not count.
//  3. Forget lines are a set: what one names is hidden, wherever it stands.
//  4. Lines have an effective time: the largest ts so far in their log, lines
//     that are unwritten and undo lines left out. Effective time, then the
//     log's name, then the place in the file order statements and the other
//     changes.
//  5. Of several lines that state one id the last in the file is the item.
//  6. Edits, phases, tiers and pins apply in order. One whose origin is not
//     the user and that no human act let in has no effect; neither has an edit
//     of a rule that the user did not approve.
//  7. An active item supersedes the items that it names, and earlier ones of
//     the same scope and key. Items that supersede each other in a circle do
//     not hide each other.
func Fold(logs ...Lines) *State {
	s := newState(logs)
	for src := range s.logs {
		s.register(int32(src))
	}
	s.markErased()
	s.markUndone()
	s.markForgotten()
	s.arrange()
	s.shape()
	s.settle()
	s.supersede()
	s.list()
	s.checkTargets()
	s.sortProblems()
	return s
}

// A spot is a place of a line: which of the logs, which of its entries.
type spot struct{ src, pos int32 }

// A change is a line that changes others.
type change struct {
	rec  *Record
	spot spot
	name int32 // its own
	acts bool  // a human act lets it in
	when time.Time
}

// A node is an item in the making.
type node struct {
	entry *Entry // the stating line
	spot  spot
	name  int32
	order int32 // -1 if the line counts as unwritten
	form  int32 // index in State.forms if lines changed its fields, else -1
	state Status
	when  time.Time
}

// A form is what an item has become by lines that change its fields.
type form struct {
	rec     Record
	origin  Origin
	changed time.Time
	edited  bool
}

func newState(logs []Lines) *State {
	s := &State{own: -1, logs: slices.Clone(logs), spaceOf: make(map[string]int32)}
	slices.SortStableFunc(s.logs, func(a, b Lines) int { return strings.Compare(a.Log, b.Log) })
	n := 0
	for i := range s.logs {
		n += len(s.logs[i].Entries)
	}
	s.dense = 4*int64(n) + 1024
	s.names = make([]name, 0, n)
	for i := range s.logs {
		sp := s.space(s.logs[i].Log)
		s.srcSpace = append(s.srcSpace, sp)
		s.spaces[sp].folded = true
		if s.logs[i].Own {
			s.own = sp
		}
	}
	return s
}

// register names all lines of a log, and finds those that change others.
func (s *State) register(src int32) {
	l := &s.logs[src]
	sp := s.srcSpace[src]
	lines := make([]int32, len(l.Entries))
	s.lines = append(s.lines, lines)
	for pos := range l.Entries {
		e := &l.Entries[pos]
		lines[pos] = -1
		if e.Bad != nil {
			s.named(sp, e.Bad.MaxID)
			s.tellBad(src, e)
			continue
		}
		for _, note := range e.Notes {
			s.tell(src, e, note)
		}
		r := &e.Record
		if e.Meta != nil || r.Kind == "" {
			continue
		}
		at := spot{src, int32(pos)}
		id := s.intern(sp, r.ID)
		lines[pos] = id
		s.claim(id, at, e)
		switch {
		case r.Kind.Changes():
			s.changes = append(s.changes, change{rec: r, spot: at, name: id, acts: l.acts(r)})
			s.internTarget(src, r.Target)
			for _, t := range r.Targets {
				s.internTarget(src, t)
			}
		case r.States():
			s.names[id].stating = at
		}
	}
}

// claim notes that the line at that spot has that name, and tells if another
// line has it as well.
func (s *State) claim(id int32, at spot, e *Entry) {
	n := &s.names[id]
	if n.written {
		old := s.entry(n.last)
		if old.Hash == "" || old.Hash != e.Hash {
			what := "another line has the same id"
			if old.Record.States() && e.Record.States() {
				what = "a later line states the same id and counts; this one is history"
			}
			s.tell(n.last.src, old, what)
		}
	}
	n.written = true
	n.last = at
}

// targets yields the names that r, a changing line of log src, has as target.
func (s *State) targets(r *Record, src int32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		if id := s.resolve(src, r.Target); id >= 0 && !yield(id) {
			return
		}
		for _, t := range r.Targets {
			if id := s.resolve(src, t); id >= 0 && !yield(id) {
				return
			}
		}
	}
}

// counts reports whether c has an effect.
func (s *State) counts(c *change) bool {
	n := &s.names[c.name]
	return c.acts && !n.undone && !n.erased
}

func (s *State) markErased() {
	for i := range s.changes {
		c := &s.changes[i]
		if c.rec.Kind != KindErased || !c.acts {
			continue
		}
		if c.rec.Target.IsZero() && len(c.rec.Targets) == 0 {
			s.names[c.name].erased = true
		}
		for t := range s.targets(c.rec, c.spot.src) {
			s.names[t].erased = true
		}
	}
}

func (s *State) markForgotten() {
	for i := range s.changes {
		c := &s.changes[i]
		if c.rec.Kind != KindForget || !s.counts(c) {
			continue
		}
		for t := range s.targets(c.rec, c.spot.src) {
			s.names[t].forgotten = true
		}
		if s.logs[c.spot.src].limited() {
			continue
		}
		for _, session := range c.rec.Sessions {
			s.hideSession(session)
		}
	}
}

// arrange gives every line its effective time, and brings items and changes
// into their order.
func (s *State) arrange() {
	next := 0 // of the changes, which stand in the order of the lines
	for src := range s.logs {
		for at, when := range s.walk(int32(src)) {
			e := s.entry(at)
			if next < len(s.changes) && s.changes[next].spot == at {
				s.changes[next].when = when
				s.hideEdit(&s.changes[next])
				next++
				continue
			}
			if !e.Record.States() {
				continue
			}
			id := s.lineName(at)
			n := &s.names[id]
			if n.forgotten || n.erased {
				s.hideTurn(e.Record.Source)
			}
			if n.stating == at && !n.erased {
				s.nodes = append(s.nodes, node{entry: e, spot: at, name: id, form: -1, when: when})
			}
		}
	}
	if len(s.logs) > 1 {
		slices.SortStableFunc(s.nodes, func(a, b node) int {
			return s.before(a.when, a.spot, b.when, b.spot)
		})
		slices.SortStableFunc(s.changes, func(a, b change) int {
			return s.before(a.when, a.spot, b.when, b.spot)
		})
	}
	order := int32(0)
	for i := range s.nodes {
		n := &s.names[s.nodes[i].name]
		n.item = int32(i)
		s.nodes[i].order = -1
		if !n.undone {
			s.nodes[i].order = order
			order++
		}
	}
}

// before compares lines by effective time, name of the log and, in one log,
// place.
func (s *State) before(aWhen time.Time, a spot, bWhen time.Time, b spot) int {
	if c := aWhen.Compare(bWhen); c != 0 {
		return c
	}
	if c := cmp.Compare(a.src, b.src); c != 0 {
		return c
	}
	return cmp.Compare(a.pos, b.pos)
}

// walk yields the places of the records of a log, each with its effective
// time.
func (s *State) walk(src int32) iter.Seq2[spot, time.Time] {
	return func(yield func(spot, time.Time) bool) {
		var when time.Time
		for pos, id := range s.lines[src] {
			if id < 0 {
				continue
			}
			r := &s.logs[src].Entries[pos].Record
			if r.Time.After(when) && r.Kind != KindUndo && !s.names[id].undone {
				when = r.Time
			}
			if !yield(spot{src, int32(pos)}, when) {
				return
			}
		}
	}
}

// settle says how each item stands, supersession left out.
func (s *State) settle() {
	for i := range s.nodes {
		nd := &s.nodes[i]
		n := &s.names[nd.name]
		r := s.record(nd)
		origin, by := s.trust(nd)
		switch {
		case n.undone:
			nd.state = StatusUndone
		case n.forgotten:
			nd.state = StatusForgotten
		case !admitted(r.Kind, origin, by):
			nd.state = StatusWaiting
		default:
			nd.state = StatusActive
		}
	}
}

// list brings the active items into the order of lists: newest first. The time
// of an item is the ts of its line; of a line without one, its effective time.
// Of two at the same time the later line is first.
func (s *State) list() {
	for i := range s.nodes {
		if s.nodes[i].state == StatusActive {
			s.newest = append(s.newest, int32(i))
		}
	}
	ascending := func(a, b int32) int {
		return s.stated(a).Compare(s.stated(b))
	}
	if !slices.IsSortedFunc(s.newest, ascending) {
		slices.SortStableFunc(s.newest, ascending)
	}
	slices.Reverse(s.newest)
}

func (s *State) stated(i int32) time.Time {
	if t := s.nodes[i].entry.Record.Time; !t.IsZero() {
		return t
	}
	return s.nodes[i].when
}
