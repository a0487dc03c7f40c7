package rules

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"ken/internal/memory"
)

var (
	// ErrNoVersion says that there is no version of that number.
	ErrNoVersion = errors.New("there is no such version")
	// ErrInForce says that the set of a version is the one in force.
	ErrInForce = errors.New("that set is in force")
	// ErrTangled says that no lines give a set: what it needs replaces each other now.
	ErrTangled = errors.New("the set cannot be had again: other memories stand in its way")
)

// A Return is what brings a version back.
type Return struct {
	To         int
	Set        Set        // as it will be
	Difference Difference // from the set in force
	// Lines are to be appended to the own log, all of them, in their order, behind the last line that
	// the state knows. The last one is what an undo takes back; without it none of them counts.
	Lines []memory.Record
	Also  []memory.ID // other memories that come or go with it; mostly none
}

// ReturnTo plans the return to version n of a memory, for lines that are written at a
// time. Lines that it takes back can be brought back by taking back its own.
//
// Errors: ErrNoVersion, ErrInForce, ErrTangled, each perhaps wrapped.
func ReturnTo(s *memory.State, n int, now time.Time) (Return, error) {
	versions := Versions(s)
	if n < 1 || n > len(versions) {
		return Return{}, fmt.Errorf("version %d: %w: they go from 1 to %d", n, ErrNoVersion, len(versions))
	}
	back := Return{To: n, Set: versions[n-1].Set}
	back.Difference = Between(Of(s), back.Set)
	if back.Difference.Empty() {
		return Return{}, fmt.Errorf("version %d: %w", n, ErrInForce)
	}
	for _, first := range [][]memory.Record{undoing(s, versions[n-1]), nil} {
		lines := together(s, append(first, mending(After(s, now, first), back.Set)...))
		for i := range lines {
			lines[i].RollBack(n)
		}
		then := After(s, now, lines)
		if !Of(then).Same(back.Set) {
			continue
		}
		if also := others(s, then); back.Lines == nil || len(also) < len(back.Also) {
			back.Lines, back.Also = lines, also
		}
		if len(back.Also) == 0 {
			break
		}
	}
	if back.Lines == nil {
		return Return{}, fmt.Errorf("version %d: %w", n, ErrTangled)
	}
	return back, nil
}

// Next returns the set of a memory once lines stand at the end of its own log, which has them
// from that time: what Of(After(s, now, lines)) is. Lines that only add to old, which is the
// set of s, cost no fold.
func Next(s *memory.State, old Set, now time.Time, lines []memory.Record) Set {
	if !beside(s, old, lines) {
		return Of(After(s, now, lines))
	}
	one := memory.Fold(memory.Lines{Log: s.OwnLog(), Own: true, Entries: entries(s, now, lines)})
	return append(old[:len(old):len(old)], Of(one)...)
}

// entries is lines as they will stand at the end of the own log.
func entries(s *memory.State, now time.Time, lines []memory.Record) []memory.Entry {
	list := make([]memory.Entry, len(lines))
	next := s.MaxID("")
	for i := range lines {
		r := lines[i]
		next++
		r.ID = memory.Num(next)
		if r.Time.IsZero() {
			r.Time = now
		}
		list[i].Record = &r
	}
	return list
}

// beside reports whether lines are sure to change nothing that stands: they state something,
// name nothing, and have a key that no rule has. Nor may an item have named one of them
// before it was there.
func beside(s *memory.State, old Set, lines []memory.Record) bool {
	held := make(map[string]bool)
	for i := range old {
		held[old[i].record.Key] = true
	}
	for i := range lines {
		r := &lines[i]
		if !r.States() || len(r.Details().Supersedes) > 0 || r.Key != "" && held[r.Key] {
			return false
		}
		held[r.Key] = true
	}
	most, ahead := s.MaxID(""), false
	each(s.Logs(), func(l *memory.Lines, e *memory.Entry, _ memory.ID) {
		if d := e.Record.Detail; d != nil {
			ahead = ahead || slices.ContainsFunc(d.Supersedes, func(id memory.ID) bool {
				id = id.In(l.Log)
				return id.Log == s.OwnLog() && id.N > most
			})
		}
	})
	return !ahead
}

// together has lines count all or none, however many of them a write that was broken off has
// left: as one line if they can be that. Else the first line takes back those behind it, and the
// last one takes back the first.
func together(s *memory.State, lines []memory.Record) []memory.Record {
	var list []memory.Record
	for _, kind := range []memory.Kind{memory.KindUndo, memory.KindForget} {
		var of []memory.ID
		for _, r := range lines {
			if r.Kind == kind {
				of = append(of, r.Target)
			}
		}
		switch len(of) {
		case 0:
		case 1:
			list = append(list, memory.Record{Kind: kind, Target: of[0]})
		default:
			list = append(list, memory.Record{Kind: kind, Detail: &memory.Detail{Targets: of}})
		}
	}
	for _, r := range lines {
		if r.Kind != memory.KindUndo && r.Kind != memory.KindForget {
			list = append(list, r)
		}
	}
	if len(list) < 2 {
		return list
	}
	first := s.MaxID("") + 1
	held := make([]memory.ID, len(list))
	for i := range list {
		held[i] = memory.Num(first + 1 + int64(i))
	}
	list = append([]memory.Record{{Kind: memory.KindUndo, Detail: &memory.Detail{Targets: held}}}, list...)
	return append(list, memory.Record{Kind: memory.KindUndo, Target: memory.Num(first)})
}

// After returns the state of a memory once lines stand at the end of its own log, which
// has them from that time. The lines are not changed.
func After(s *memory.State, now time.Time, lines []memory.Record) *memory.State {
	if len(lines) == 0 {
		return s
	}
	logs := slices.Clone(s.Logs())
	own := slices.IndexFunc(logs, func(l memory.Lines) bool { return l.Own })
	if own < 0 {
		own, logs = len(logs), append(logs, memory.Lines{Log: s.OwnLog(), Own: true})
	}
	l := &logs[own]
	l.Entries = append(l.Entries[:len(l.Entries):len(l.Entries)], entries(s, now, lines)...)
	return memory.Fold(logs...)
}

// undoing takes back what was written since a version, as far as that is about rules and
// nothing else.
func undoing(s *memory.State, v Version) []memory.Record {
	all := relevant(s)
	from := 0
	if len(v.Lines) > 0 {
		last := v.Lines[len(v.Lines)-1].ID
		from = 1 + slices.IndexFunc(all, func(t touch) bool { return t.id == last })
	}
	later := make(map[memory.ID]bool)
	for _, t := range all[from:] {
		later[t.id] = true
	}
	var recs []memory.Record
	for _, t := range slices.Backward(all[from:]) {
		ch, ok := s.Line(t.id)
		if !ok || ch.Undone || t.record.Kind == memory.KindErased || s.Status(t.id) == memory.StatusErased || !alone(s, &t, later) {
			continue
		}
		recs = append(recs, memory.Record{Kind: memory.KindUndo, Target: t.id})
	}
	return recs
}

// alone reports whether to take a line back changes rules and nothing else. later are the
// lines since.
func alone(s *memory.State, t *touch, later map[memory.ID]bool) bool {
	r, d := t.record, t.record.Details()
	switch some := false; {
	case r.Kind == memory.KindUndo:
		for _, id := range append([]memory.ID{r.Target}, d.Targets...) {
			target := id.In(t.logName(s)).From(s.OwnLog())
			if id.IsZero() || later[target] {
				continue // both are void
			}
			ch, ok := s.Line(target)
			if !ok || !about(s, ch.ID, &ch.Record) {
				return false
			}
			some = true
		}
		return some
	case r.States():
		return may(r)
	}
	return len(d.Sessions) == 0 && about(s, t.id, r)
}

// logName is the name of the log that the line stands in.
func (t *touch) logName(s *memory.State) string { return s.Logs()[t.log].Log }

// about reports whether a line states or changes nothing but what may bind.
func about(s *memory.State, id memory.ID, r *memory.Record) bool {
	if r.States() {
		return may(r)
	}
	log := id.In(s.OwnLog()).Log
	for _, target := range append([]memory.ID{r.Target}, r.Details().Targets...) {
		if target.IsZero() {
			continue
		}
		ch, ok := s.Line(target.In(log).From(s.OwnLog()))
		if !ok || !ch.Record.States() || !may(&ch.Record) {
			return false
		}
	}
	d := r.Details()
	return len(d.Sessions)+len(d.Turns) == 0
}

// mending is what makes the set of a state that of want: what is too much is forgotten,
// what is missing is stated again.
func mending(s *memory.State, want Set) []memory.Record {
	var recs []memory.Record
	for _, c := range Between(Of(s), want).Changes {
		if c.Old != nil {
			recs = append(recs, memory.Record{Kind: memory.KindForget, Target: c.Old.ID})
		}
		if c.New != nil {
			recs = append(recs, c.New.again())
		}
	}
	return recs
}

// again states a rule once more, under no key, since another may have it.
func (r *Rule) again() memory.Record {
	old := r.record.Details()
	rec := memory.Record{
		Kind: r.Kind, Content: r.Text, Scope: r.Scope, Tags: slices.Clone(r.record.Tags), Importance: r.record.Importance,
		Pinned: r.record.Pinned, Source: r.Source, Origin: r.Origin,
	}
	if r.Origin.Rank() > 0 {
		rec.By = "user"
	}
	rec.Detail = &memory.Detail{
		Expires: old.Expires, ValidFrom: old.ValidFrom, ValidTo: old.ValidTo, Subtype: old.Subtype,
		Match: old.Match, Unless: old.Unless, Raise: old.Raise, Phase: old.Phase,
	}
	return rec
}

// others are the memories that stand in one of two states and not in the other, or say
// something else there; without what may bind.
func others(a, b *memory.State) []memory.ID {
	said := make(map[memory.ID]string)
	for _, it := range a.Items() {
		if !may(it.Record) {
			said[it.ID] = it.Record.Content
		}
	}
	var list []memory.ID
	for _, it := range b.Items() {
		if was, ok := said[it.ID]; !may(it.Record) && (!ok || was != it.Record.Content) {
			list = append(list, it.ID)
		}
		delete(said, it.ID)
	}
	for id := range said {
		list = append(list, id)
	}
	slices.SortFunc(list, byID)
	return list
}
