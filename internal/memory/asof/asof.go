package asof

import (
	"iter"
	"slices"
	"time"

	"ken/internal/memory"
)

// At returns the memory as it stood at that time: as recorded by then, and with what
// was not valid yet counted as not recorded. now is the clock: from it on nothing is
// cut. The result may be s itself. Items of it that are not Current at that time
// are among its Items, as in every State.
func At(s *memory.State, at, now time.Time) *memory.State {
	return Valid(Recorded(s, at, now), at)
}

// Recorded returns the memory as it was recorded by then, whatever time it is about.
func Recorded(s *memory.State, at, now time.Time) *memory.State {
	if !at.Before(now) {
		return s
	}
	return told(s, at, now)
}

// Without returns the memory as if the item had been forgotten, and what it replaced along with it.
func Without(s *memory.State, id memory.ID) *memory.State {
	it, status := s.Get(id)
	if status == memory.StatusUnknown {
		return s
	}
	logs := slices.Clone(s.Logs())
	for i := range logs {
		l := &logs[i]
		if l.Log != it.Log {
			continue
		}
		r := memory.Record{ID: memory.Num(s.MaxID(l.Log) + 1), Kind: memory.KindForget, Target: it.ID.From(l.Log)}
		l.Entries = append(slices.Clip(l.Entries), memory.ParseLine(r.AppendJSON(nil)))
		if l.Times != nil {
			l.Times = append(slices.Clip(l.Times), time.Time{})
		}
	}
	return memory.Fold(logs...)
}

// Items returns what holds at that time, by all lines of s, newest first.
func Items(s *memory.State, at time.Time) []memory.Item {
	h := Hold(s, at)
	items := make([]memory.Item, h.Len())
	for i := range items {
		items[i] = h.Item(i)
	}
	return items
}

// A Holding is what Items returns, each item made when it is asked for: of a large
// memory all of them together take more room than their lines. It never changes.
type Holding struct {
	state *memory.State
	some  []int32 // the numbers of the items in state; nil: all of them
}

// Hold returns what holds at that time, by all lines of s, newest first.
func Hold(s *memory.State, at time.Time) *Holding {
	h := &Holding{state: Valid(s, at)}
	for n := range h.state.Len() {
		switch it := h.state.Item(n); {
		case !it.Current(at) && h.some == nil:
			h.some = make([]int32, n, h.state.Len())
			for i := range h.some {
				h.some[i] = int32(i)
			}
		case it.Current(at) && h.some != nil:
			h.some = append(h.some, int32(n))
		}
	}
	return h
}

// Len returns the number of items that hold.
func (h *Holding) Len() int {
	if h.some != nil {
		return len(h.some)
	}
	return h.state.Len()
}

// Item returns the item of that number, from 0, which is the newest.
func (h *Holding) Item(n int) memory.Item {
	if h.some != nil {
		n = int(h.some[n])
	}
	return h.state.Item(n)
}

// A Standing is an item with how it stands at some time.
type Standing struct {
	memory.Item
	// Status is that of the item: "active" if it holds, else "expired", "ended" (valid
	// no longer), "not valid yet" or "superseded".
	Status string
}

// All returns all items that hold, once held or will hold, newest first, with how
// they stand at that time. Those that nobody let in, and those that were taken
// back, are not among them.
func All(s *memory.State, at time.Time) []Standing { return slices.Collect(List(s, at).Each()) }

// Each yields what All returns, in another order and one after the other: for who
// counts.
func Each(s *memory.State, at time.Time) iter.Seq[Standing] {
	return func(yield func(Standing) bool) {
		valid := Valid(s, at)
		for n := range s.Len() {
			if it := s.Item(n); !yield(Standing{it, status(s, valid, it, at)}) {
				return
			}
		}
		for it := range s.Each(memory.StatusSuperseded) {
			if valid.Status(it.ID) != memory.StatusWaiting && !yield(Standing{it, status(s, valid, it, at)}) {
				return
			}
		}
	}
}

// Status returns how an item of s stands at that time, as Standing has it, or what
// became of it.
func Status(s *memory.State, it memory.Item, at time.Time) string {
	return status(s, Valid(s, at), it, at)
}

// status is Status, where valid is Valid(s, at).
func status(s, valid *memory.State, it memory.Item, at time.Time) string {
	d := it.Record.Details()
	switch st := s.Status(it.ID); {
	case st != memory.StatusActive && st != memory.StatusSuperseded:
		return st.String()
	case d.ValidFrom.After(at):
		return "not valid yet"
	case valid.Status(it.ID) == memory.StatusSuperseded || valid.Status(it.ID) == memory.StatusWaiting:
		return valid.Status(it.ID).String() // what replaces a waiting one later lets it in no sooner
	case !d.Expires.IsZero() && !at.Before(d.Expires):
		return "expired"
	case !it.Current(at):
		return "ended"
	}
	return memory.StatusActive.String()
}

// Replacing returns the active items that take the place of the item id, by its name
// or by its scope and key, oldest first; nil if none does.
func Replacing(s *memory.State, id memory.ID) []memory.Item {
	old, st := s.Get(id)
	if st != memory.StatusSuperseded {
		return nil
	}
	var list []memory.Item
	for _, it := range slices.Backward(s.Items()) {
		names := slices.ContainsFunc(it.Record.Details().Supersedes, func(o memory.ID) bool {
			return o.In(it.Log) == old.ID.In(s.OwnLog())
		})
		r := old.Record
		if names || r.Key != "" && it.Record.Key == r.Key && it.Record.Scope == r.Scope {
			list = append(list, it)
		}
	}
	return list
}

// told returns the state of the lines that were recorded by then, and of all that take
// something back. A line of a time behind now was recorded at some time up to now that
// nobody knows: it counts at none before, as do those without a time right behind it,
// and puts off no line after them.
func told(s *memory.State, at, now time.Time) *memory.State {
	return refold(s, func(l *memory.Lines) func(*memory.Record) bool {
		var when time.Time // effective
		unknown := false
		return func(r *memory.Record) bool {
			if !r.Time.IsZero() {
				unknown = r.Time.After(now)
			}
			if r.Time.After(when) && !unknown && !unwritten(s, l, r) {
				when = r.Time
			}
			return takesBack(r.Kind) || !unknown && !when.After(at)
		}
	})
}

// unwritten reports whether the time of a line says nothing: it is an undo, or
// was undone.
func unwritten(s *memory.State, l *memory.Lines, r *memory.Record) bool {
	return r.Kind == memory.KindUndo || s.Status(r.ID.In(l.Log)) == memory.StatusUndone
}

func takesBack(k memory.Kind) bool {
	return k == memory.KindForget || k == memory.KindErased || k == memory.KindUndo
}

// Valid is s without the items that are not valid yet at that time, so that they
// hide nothing. Mostly there are none, and it is s itself.
func Valid(s *memory.State, at time.Time) *memory.State {
	early := make(map[memory.ID]bool)
	for _, l := range s.Logs() {
		for i := range l.Entries {
			r := l.Entries[i].Record
			if d := r.Detail; d == nil || !d.ValidFrom.After(at) {
				continue
			}
			for _, id := range [...]memory.ID{r.ID, r.Target} { // stated so, or edited
				it, _ := s.Get(id.In(l.Log))
				if !id.IsZero() && it.Record.Details().ValidFrom.After(at) {
					early[it.ID.In(s.OwnLog())] = true
				}
			}
		}
	}
	if len(early) == 0 {
		return s
	}
	return refold(s, func(l *memory.Lines) func(*memory.Record) bool {
		return func(r *memory.Record) bool { return r.Kind.Changes() || !early[r.ID.In(l.Log)] }
	})
}

// refold folds again the lines that the function of their log keeps. It is asked
// for one line after the other. What was forgotten along with what replaced it is left
// out, since the line that it was replaced by may be.
func refold(s *memory.State, keep func(*memory.Lines) func(*memory.Record) bool) *memory.State {
	along := func(id memory.ID) bool {
		_, ok := s.Along(id)
		return ok
	}
	logs := slices.Clone(s.Logs())
	for i := range logs {
		l := &logs[i]
		counts := keep(l)
		var kept []memory.Entry
		cut := false // something was left out: until then the entries are shared
		for j := range l.Entries {
			e := &l.Entries[j]
			switch ok := e.Bad != nil || e.Meta != nil || e.Record.Kind == "" || counts(e.Record) && !along(e.Record.ID.In(l.Log)); {
			case !ok && !cut:
				kept, cut = slices.Clone(l.Entries[:j]), true
			case ok && cut:
				kept = append(kept, *e)
			}
		}
		if cut {
			l.Entries = kept
		}
	}
	return memory.Fold(logs...)
}
