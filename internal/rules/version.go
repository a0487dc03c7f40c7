package rules

import (
	"cmp"
	"slices"
	"time"

	"ken/internal/memory"
)

// A Version is a set that was in force, and the lines that made it.
type Version struct {
	N     int       // from 1, which is the beginning: nothing was in force
	At    time.Time // of its last line; zero for the beginning
	Lines []Line    // that made it, in their order; none for the beginning
	Set   Set
	// Back is the number of the version that was returned to; 0 for any other change.
	Back int
}

// A Line is a line of the memory that changed the set.
type Line struct {
	ID     memory.ID
	Kind   memory.Kind
	Target memory.ID // of a changing line
	By     string    // as of a Rule
	Origin memory.Origin
	Review int64
	Reason string
}

// Versions returns the sets that a memory had, the first one first. The last one is the
// set in force. Lines of logs that others write to make no version.
func Versions(s *memory.State) []Version {
	list := []Version{{N: 1}}
	touching := relevant(s)
	f := folder{logs: s.Logs(), lines: make([]memory.Lines, 0, len(s.Logs()))}
	for _, l := range f.logs {
		l.Entries, l.Times = nil, nil
		f.lines = append(f.lines, l)
	}
	f.times = make([][]time.Time, len(f.lines))
	var set Set
	for i, t := range touching {
		now := f.add(t, set)
		last := i == len(touching)-1
		if last {
			now = Of(s)
		}
		same := now.Same(set)
		set = now
		with := &list[len(list)-1]
		if together := t.back > 0 && t.follows && with.Back == t.back && len(with.Lines) > 0; !together {
			if same && (t.back == 0 || last) {
				continue
			}
			list = append(list, Version{N: len(list) + 1, Back: t.back})
			with = &list[len(list)-1]
		}
		with.Lines, with.Set, with.At = append(with.Lines, t.line()), set, t.record.Time
	}
	return whole(list)
}

// whole is a list of versions without the returns that were broken off: nothing came of them.
func whole(list []Version) []Version {
	kept := list[:1]
	for _, v := range list[1:] {
		if v.Back > 0 && v.Set.Same(kept[len(kept)-1].Set) {
			continue
		}
		v.N = len(kept) + 1
		kept = append(kept, v)
	}
	return kept
}

// A touch is a line that may change the set.
type touch struct {
	id      memory.ID // as a person names it
	log     int
	entry   memory.Entry
	record  *memory.Record
	when    time.Time // effective
	back    int       // of a line that a return wrote
	follows bool      // and the line before it in its log is one as well
}

func (t *touch) line() Line {
	d := t.record.Details()
	return Line{
		ID: t.id, Kind: t.record.Kind, Target: t.record.Target, By: t.record.By, Origin: t.record.Origin,
		Review: t.record.Review, Reason: d.Reason,
	}
}

// may reports whether what a line states may ever be in a set: an edit may have it bind.
func may(r *memory.Record) bool { return Binds(r.Kind) }

// relevant are the lines that may change the set, in the order in which they count.
func relevant(s *memory.State) []touch {
	logs := s.Logs()
	ids, keys := make(map[memory.ID]bool), make(map[string]bool)
	binds := make(map[memory.ID]bool) // preferences and lessons that some line has bind
	each(logs, func(l *memory.Lines, e *memory.Entry, id memory.ID) {
		if r := e.Record; len(r.Details().Match) > 0 {
			binds[id] = true
			if !r.Target.IsZero() {
				binds[r.Target.In(l.Log)] = true
			}
		}
	})
	each(logs, func(_ *memory.Lines, e *memory.Entry, id memory.ID) {
		if r := e.Record; r.States() && may(r) && (r.Kind == memory.KindRule || binds[id]) {
			ids[id] = true
		}
	})
	for before := -1; before != len(ids)+len(keys); {
		before = len(ids) + len(keys)
		each(logs, func(l *memory.Lines, e *memory.Entry, id memory.ID) {
			r := e.Record
			if touches(l, r, ids, keys) {
				ids[id] = true
			}
			if ids[id] && r.Key != "" {
				keys[r.Key] = true
			}
		})
	}
	var list []touch
	for at := range logs {
		l := &logs[at]
		if l.Ceiling.Rank() > 0 {
			continue
		}
		clock, before := time.Time{}, 0
		for i := range l.Entries {
			e := &l.Entries[i]
			if e.Record == nil || e.Bad != nil || e.Meta != nil {
				continue
			}
			if e.Record.Kind != memory.KindUndo && e.Record.Time.After(clock) {
				clock = e.Record.Time
			}
			id, back := e.Record.ID.In(l.Log), e.Record.Rollback()
			if ids[id] {
				list = append(list, touch{
					id: id.From(s.OwnLog()), log: at, entry: *e, record: e.Record, when: clock, back: back, follows: back > 0 && back == before,
				})
			}
			before = back
		}
	}
	slices.SortStableFunc(list, func(a, b touch) int {
		return cmp.Or(a.when.Compare(b.when), cmp.Compare(logs[a.log].Log, logs[b.log].Log))
	})
	return list
}

// each calls do for the readable lines of the logs that the person alone writes to.
func each(logs []memory.Lines, do func(l *memory.Lines, e *memory.Entry, id memory.ID)) {
	for at := range logs {
		l := &logs[at]
		if l.Ceiling.Rank() > 0 {
			continue
		}
		for i := range l.Entries {
			if e := &l.Entries[i]; e.Record != nil && e.Bad == nil && e.Meta == nil {
				do(l, e, e.Record.ID.In(l.Log))
			}
		}
	}
}

// touches reports whether a line changes, replaces, or has the key of one of ids.
func touches(l *memory.Lines, r *memory.Record, ids map[memory.ID]bool, keys map[string]bool) bool {
	if r.Key != "" && keys[r.Key] || !r.Target.IsZero() && ids[r.Target.In(l.Log)] {
		return true
	}
	if r.Detail == nil {
		return false
	}
	named := func(id memory.ID) bool { return ids[id.In(l.Log)] }
	return slices.ContainsFunc(r.Detail.Targets, named) || slices.ContainsFunc(r.Detail.Supersedes, named)
}

// A folder folds more and more lines of logs.
type folder struct {
	logs  []memory.Lines
	lines []memory.Lines
	times [][]time.Time
	names map[memory.ID]bool // that some line has or names
}

// add takes one more line, after which set was in force, and returns what is in force then.
func (f *folder) add(t touch, set Set) Set {
	if f.names == nil {
		f.names = make(map[memory.ID]bool)
	}
	l := &f.lines[t.log]
	l.Entries = append(l.Entries, t.entry)
	f.times[t.log] = append(f.times[t.log], t.when)
	r, d := t.record, t.record.Details()
	name := r.ID.In(l.Log)
	plain := r.States() && r.Key == "" && len(d.Supersedes) == 0 && !f.names[name]
	f.names[name] = true
	for _, id := range append([]memory.ID{r.Target}, d.Targets...) {
		if !id.IsZero() {
			f.names[id.In(l.Log)] = true
		}
	}
	if plain { // nothing else is another for it
		one := *l
		one.Entries, one.Times = []memory.Entry{t.entry}, []time.Time{t.when}
		return append(set[:len(set):len(set)], Of(memory.Fold(one))...)
	}
	all := slices.Clone(f.lines)
	if len(all) > 1 {
		for i := range all {
			all[i].Times = f.times[i]
		}
	}
	return Of(memory.Fold(all...))
}
