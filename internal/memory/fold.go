package memory

import (
	"cmp"
	"iter"
	"slices"
	"time"
)

// Lines is what one log holds.
type Lines struct {
	// Log is the log's name. Only the own log may still be without one. Two
	// Lines of one name are copies of one log, of which one counts; see Fold.
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
	// Times are the effective times of the Entries (rule 4 of Fold). A caller sets them if it folds
	// some lines of a log and knows the times that all lines gave these. If Times is nil, the
	// Entries decide.
	Times []time.Time
}

// limited reports whether others than the person can write to the log.
func (l *Lines) limited() bool { return l.Ceiling.Rank() > 0 }

// acts reports whether r, a changing line of the log, may have an effect. A
// limited log is let in as a whole, and changes only itself.
func (l *Lines) acts(r *Record) bool {
	return l.limited() || r.Origin.Rank() == 0 || r.By != ""
}

// Fold makes the state of a union of logs. It reads no clock: items that have
// expired are in the state, and Item.Current reports it. Neither the order of the
// arguments nor the time at which lines reached this device matter. Of two copies of
// one log that say different things one counts, whatever their order, and the other
// one is reported as a problem.
//
// The rules, in the order in which they apply:
//
//  1. Erased lines are a set. What one names is gone, and nothing revives it.
//  2. Undo lines are a set. A line that is named by an undo that counts is
//     unwritten. An undo that is itself undone does not count; undos that undo
//     each other in a circle all do not count.
//  3. Forget lines are a set: what one names is hidden, wherever it stands, and with it
//     all that it replaced (rule 7), unless it was forgotten before it was valid.
//  4. Lines have an effective time: the largest ts so far in their log, lines
//     that are unwritten and undo lines left out. Effective time, then the
//     log's name, then the place in the file order statements and the other
//     changes. A change that says which line of another log it comes after is
//     not earlier than that line, and no later change of the same item in its
//     log is earlier than it: a clock that once was wrong beats nobody who has
//     seen what it wrote.
//  5. Of several lines that state one id the last in the file is the item.
//  6. Edits, phases, tiers and pins apply in order. One whose origin is not
//     the user and that no human act let in has no effect; neither has an edit
//     of a rule that the user did not approve.
//  7. An active item supersedes the items that it names, and earlier ones of
//     the same scope and key, where one that names another of them is the
//     later one. Items that supersede each other in a circle do not hide each
//     other. A forgotten item keeps its place: forgetting makes nothing active.
func Fold(logs ...Lines) *State {
	logs, left := single(slices.Clone(logs))
	lines := 0
	for i := range logs {
		lines += len(logs[i].Entries)
	}
	s := &State{
		logs: logs, index: newIDIndex(), most: make(map[string]int64), loose: make(map[int32]ID), along: make(map[int32]int32),
		names: make([]name, 0, lines), nodes: make([]node, 0, lines),
		hidden: Hidden{Turns: make(map[Turn]bool), Sessions: make(map[string]bool)},
	}
	s.tellCopies(left)
	for i := range s.logs {
		s.index.Expect(s.logs[i].Log, len(s.logs[i].Entries))
	}
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
	s.takeAlong()
	s.hideTurns()
	s.list()
	s.checkTargets()
	return s
}

// A spot is the place of a line: which of the logs, which of its entries.
type spot struct{ src, pos int32 }

// A moment is a line's place in the order of all lines.
type moment struct {
	spot
	when time.Time // effective
}

func (m moment) compare(o moment) int {
	return cmp.Or(m.when.Compare(o.when), cmp.Compare(m.src, o.src), cmp.Compare(m.pos, o.pos))
}

// A name is what one id of one log stands for.
type name struct {
	item    int32 // index in State.nodes, -1 if it states nothing that is left
	last    spot  // of the last line that has the id
	stating spot  // of the last line that states something by it

	written   bool // some line has the id; else others only name it as target, and loose has it
	erased    bool
	undone    bool
	forgotten bool // by a line that names it
}

// A change is a line that changes others.
type change struct {
	moment
	rec     *Record
	name    int32   // its own
	targets []int32 // the names of what it changes
	acts    bool    // see Lines.acts
}

// A node is an item in the making.
// It is small, since there are as many as lines.
type node struct {
	spot        // of the stating line
	clock int32 // the line of the log that its effective time is from; -1: none has one
	name  int32
	order int32 // -1 if the line counts as unwritten
	state Status
	form  *form // set if lines changed its fields
}

// when is the effective time of an item.
func (s *State) when(nd *node) time.Time {
	if nd.clock < 0 {
		return time.Time{}
	}
	if times := s.logs[nd.src].Times; times != nil {
		return times[nd.clock]
	}
	return s.entry(spot{nd.src, nd.clock}).Record.Time
}

// moment is the place of an item in the order of all lines.
func (s *State) moment(nd *node) moment { return moment{nd.spot, s.when(nd)} }

// intern returns the index of the name that id, as written in a log, stands
// for, and makes it if it is new.
func (s *State) intern(log string, id ID) int32 {
	id = id.In(log)
	i, ok := s.index.Find(id)
	if !ok {
		i = int32(len(s.names))
		s.index.Add(id, i)
		s.names = append(s.names, name{item: -1})
		s.most[id.Log] = max(s.most[id.Log], id.N)
	}
	return i
}

// id returns the id of a name, with its log.
func (s *State) id(i int32) ID {
	if n := &s.names[i]; n.written {
		return s.entry(n.last).Record.ID.In(s.logs[n.last.src].Log)
	}
	return s.loose[i]
}

// register names all lines of a log, and finds those that change others.
func (s *State) register(src int32) {
	l := &s.logs[src]
	lines := make([]int32, len(l.Entries))
	s.lines = append(s.lines, lines)
	if l.Own {
		s.own = l.Log
	}
	for pos := range l.Entries {
		e, at := &l.Entries[pos], spot{src, int32(pos)}
		lines[pos] = -1
		if e.Bad != nil {
			s.most[l.Log] = max(s.most[l.Log], e.Bad.MaxID)
			s.tell(at, e.Bad.reason())
			continue
		}
		for _, note := range e.Notes() {
			s.tell(at, note)
		}
		r := e.Record
		if e.Meta != nil || r.Kind == "" {
			continue
		}
		lines[pos] = s.intern(l.Log, r.ID)
		s.claim(lines[pos], at)
		if r.Kind.Changes() {
			s.registerChange(l, change{moment: moment{spot: at}, rec: r, name: lines[pos], acts: l.acts(r)})
		} else if r.States() {
			s.names[lines[pos]].stating = at
		}
	}
}

func (s *State) registerChange(l *Lines, c change) {
	for id := range c.rec.targets {
		switch foreign := id.In(l.Log).Log != l.Log; {
		case id.IsZero():
		case foreign && l.limited():
			s.tell(c.spot, "target "+id.String()+" is of another log, which lines of this one cannot change")
		default:
			t := s.intern(l.Log, id)
			c.targets = append(c.targets, t)
			if !s.names[t].written {
				s.loose[t] = id.In(l.Log)
			}
		}
	}
	s.changes = append(s.changes, c)
}

// claim notes that the line at that spot has that name, and reports if another
// line has it as well.
func (s *State) claim(id int32, at spot) {
	n := &s.names[id]
	if n.written {
		old, e := s.entry(n.last), s.entry(at)
		switch {
		case old.Sum != 0 && old.Sum == e.Sum: // the same line twice
		case old.Record.States() && e.Record.States():
			s.tell(n.last, "a later line states the same id and counts; this one is history")
		default:
			s.tell(n.last, "another line has the same id")
		}
	}
	n.written, n.last = true, at
}

// counts reports whether c has an effect.
func (s *State) counts(c *change) bool {
	return c.acts && !s.names[c.name].undone && !s.names[c.name].erased
}

func (s *State) markErased() {
	for i := range s.changes {
		c := &s.changes[i]
		if c.rec.Kind != KindErased || !c.acts {
			continue
		}
		if c.rec.Target.IsZero() && len(c.rec.Details().Targets) == 0 {
			s.names[c.name].erased = true
		}
		for _, t := range c.targets {
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
		for _, t := range c.targets {
			s.names[t].forgotten = true
		}
		if !s.logs[c.spot.src].limited() {
			for _, session := range c.rec.Details().Sessions {
				s.hidden.Sessions[session] = true
			}
			for _, ref := range c.rec.Details().Turns {
				if t, ok := ParseTurn(ref); ok {
					s.hidden.Turns[t] = true
				}
			}
		}
	}
}

// moments yields the lines of a log that hold a record, with the index of their
// names and their effective time.
func (s *State) moments(src int) iter.Seq2[int32, moment] {
	return func(yield func(int32, moment) bool) {
		at := moment{spot: spot{src: int32(src)}}
		for pos, id := range s.lines[src] {
			if id < 0 {
				continue
			}
			at.pos = int32(pos)
			r := s.entry(at.spot).Record
			if times := s.logs[src].Times; times != nil {
				at.when = times[pos]
			} else if r.Time.After(at.when) && r.Kind != KindUndo && !s.names[id].undone {
				at.when = r.Time
			}
			if !yield(id, at) {
				return
			}
		}
	}
}

// arrange gives every line its effective time, and brings items and changes
// into their order.
func (s *State) arrange() {
	next := 0 // of the changes, which stand in the order of the lines
	follows := false
	for src := range s.logs {
		clock, last := int32(-1), time.Time{}
		for id, at := range s.moments(src) {
			if !at.when.Equal(last) {
				clock, last = at.pos, at.when
			}
			n, e := &s.names[id], s.entry(at.spot)
			switch {
			case e.Record.Kind.Changes():
				c := &s.changes[next]
				c.when = at.when
				next++
				follows = follows || s.logs[src].Times == nil && c.rec.Detail != nil && !c.rec.Detail.After.IsZero()
			case e.Record.States():
				if n.stating == at.spot && !n.erased {
					s.nodes = append(s.nodes, node{spot: at.spot, clock: clock, name: id, order: -1})
				}
			}
		}
	}
	if len(s.logs) > 1 {
		if follows {
			s.followChanges()
		}
		slices.SortFunc(s.nodes, func(a, b node) int { return s.moment(&a).compare(s.moment(&b)) })
		slices.SortFunc(s.changes, func(a, b change) int { return a.compare(b.moment) })
	}
	order := int32(0)
	for i := range s.nodes {
		n := &s.names[s.nodes[i].name]
		n.item = int32(i)
		if !n.undone {
			s.nodes[i].order = order
			order++
		}
	}
}

// hideTurns hides the turns that taught what is forgotten or erased.
func (s *State) hideTurns() {
	hide := func(name int32, src *Source) {
		n := &s.names[name]
		gone := n.forgotten || n.erased || n.item >= 0 && s.nodes[n.item].state == StatusForgotten
		if gone && src != nil && src.Session != "" && src.Turn > 0 {
			s.hidden.Turns[Turn{src.Session, src.Turn}] = true
		}
	}
	for src, lines := range s.lines {
		for pos, name := range lines {
			if name < 0 {
				continue
			}
			if r := s.entry(spot{int32(src), int32(pos)}).Record; r.States() {
				hide(name, r.Source)
			}
		}
	}
	for i := range s.changes {
		if c := &s.changes[i]; c.rec.Kind == KindEdit && s.counts(c) {
			for _, t := range c.targets {
				hide(t, c.rec.Source)
			}
		}
	}
}

// settle sets the status of each item. It leaves out supersession, and of forgetting it handles
// only what was forgotten before it replaced anything.
func (s *State) settle() {
	for i := range s.nodes {
		nd := &s.nodes[i]
		n := &s.names[nd.name]
		origin, by := s.trust(nd)
		switch {
		case n.undone:
			nd.state = StatusUndone
		case n.forgotten && s.early(nd):
			nd.state = StatusForgotten
		case !admitted(s.entry(nd.spot).Record.Kind, origin, by):
			nd.state = StatusWaiting
		default:
			nd.state = StatusActive
		}
	}
}

// early reports whether an item was not valid yet when it was forgotten.
func (s *State) early(nd *node) bool {
	from := s.record(nd).Details().ValidFrom
	if from.IsZero() {
		return false
	}
	for i := range s.changes {
		c := &s.changes[i]
		if c.rec.Kind == KindForget && s.counts(c) && slices.Contains(c.targets, nd.name) && (c.when.IsZero() || !c.when.Before(from)) {
			return false
		}
	}
	return true
}

// list brings the active items into the order of lists, newest first.
func (s *State) list() {
	for i := range s.nodes {
		if s.nodes[i].state == StatusActive {
			s.newest = append(s.newest, int32(i))
		}
	}
	stated := func(i int32) time.Time {
		nd := &s.nodes[i]
		if t := s.entry(nd.spot).Record.Time; !t.IsZero() {
			return t
		}
		return s.when(nd)
	}
	ascending := func(a, b int32) int { return stated(a).Compare(stated(b)) }
	if !slices.IsSortedFunc(s.newest, ascending) {
		slices.SortStableFunc(s.newest, ascending)
	}
	slices.Reverse(s.newest)
}
