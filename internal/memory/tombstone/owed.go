package tombstone

import (
	"cmp"
	"slices"

	"ken/internal/memory"
)

// A Debt is an erasing that is not carried out: a log says that an item was erased, and
// a file still has its text.
type Debt struct {
	ID memory.ID // of the item, as seen from the own log
	// In are the names of the logs that still state it or a wording of it, in order;
	// never none.
	In []string
	// Own reports whether one of them is the log of this device.
	Own bool
}

// Owed returns the debts of a memory, in the order of their ids. Nothing that a repository
// brought is among them: its files are not the person's, and what one of its lines
// erases is its own.
func Owed(s *memory.State) []Debt {
	own := s.OwnLog()
	debts := make(map[memory.ID]*Debt)
	note := func(id memory.ID, l *memory.Lines) {
		id = id.From(own)
		d := debts[id]
		if d == nil {
			d = &Debt{ID: id}
			debts[id] = d
		}
		d.Own = d.Own || l.Own
		if !slices.Contains(d.In, l.Log) {
			d.In = append(d.In, l.Log)
		}
	}
	logs := s.Logs()
	for i := range logs {
		l := &logs[i]
		if l.Ceiling.Rank() > 0 {
			continue
		}
		for j := range l.Entries {
			r := l.Entries[j].Record
			if l.Entries[j].Meta != nil || l.Entries[j].Bad != nil || r.Content == "" {
				continue
			}
			id := r.ID
			switch {
			case r.Kind == memory.KindEdit:
				id = r.Target
			case !r.States():
				continue
			}
			if id = id.In(l.Log); !id.IsZero() && s.Status(id) == memory.StatusErased {
				note(id, l)
			}
		}
	}
	list := make([]Debt, 0, len(debts))
	for _, d := range debts {
		slices.Sort(d.In)
		list = append(list, *d)
	}
	slices.SortFunc(list, func(a, b Debt) int {
		return cmp.Or(cmp.Compare(a.ID.Log, b.ID.Log), cmp.Compare(a.ID.N, b.ID.N), cmp.Compare(a.ID.Hash, b.ID.Hash))
	})
	return list
}
