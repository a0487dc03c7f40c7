package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"ken/internal/memory"
	"ken/internal/memory/tombstone"
)

// A Bulk is what one line forgets.
type Bulk struct {
	IDs      []memory.ID   // items that stand
	Sessions []string      // conversations whose turns are not shown any more
	Turns    []memory.Turn // that are not shown any more
	Reason   string
}

// maxTargets is how many references go on one line: with room to spare, also the
// longest of them fit on it.
const maxTargets = 8000

// forgetBulk is Writer.ForgetBulk for a person.
func (e *Engine) forgetBulk(ctx context.Context, b Bulk) (Receipt, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.write(ctx, func(s *memory.State) ([]memory.Record, error) {
		var targets []memory.ID
		for _, id := range b.IDs {
			if !stands(s, id) {
				return nil, notActive(id)
			}
			targets = append(targets, id.From(s.OwnLog()))
		}
		if len(targets)+len(b.Sessions)+len(b.Turns) == 0 {
			return nil, ErrNothingToForget
		}
		sessions, turns := b.Sessions, make([]string, len(b.Turns))
		for i, t := range b.Turns {
			turns[i] = t.String()
		}
		var recs []memory.Record
		for len(targets)+len(sessions)+len(turns) > 0 {
			d := &memory.Detail{Reason: e.label(b.Reason)}
			d.Targets, targets = some(targets)
			d.Sessions, sessions = some(sessions)
			d.Turns, turns = some(turns)
			recs = append(recs, memory.Record{Kind: memory.KindForget, Detail: d})
		}
		return recs, nil
	})
}

// some are so many of list as go on one line, and the rest.
func some[T any](list []T) (first, rest []T) {
	n := min(len(list), maxTargets)
	return list[:n:n], list[n:]
}

// erase is Writer.Erase for a person.
func (e *Engine) erase(ctx context.Context, files func(context.Context) error, ids []memory.ID) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, err := e.catchUp(ctx); err != nil {
		return err
	}
	s := e.fold()
	for _, id := range ids {
		// A line that cannot be read has no other name than its hash, and is no item.
		if st := s.Status(id); st == memory.StatusUnknown && id.Hash == 0 || st == memory.StatusChange {
			return notActive(id)
		}
	}
	changed, err := e.erasing(ctx, s, ids)
	if err != nil {
		return err
	}
	if err := e.forgetReplaced(ctx, ids); err != nil {
		return err
	}
	marks := e.marksOf(s, ids)
	if e.journal != nil {
		if err := e.journal.Begin(ctx, marks); err != nil {
			return err
		}
	}
	if err := files(ctx); err != nil {
		return err
	}
	for i := len(e.logs) - 1; i >= 0 && len(ids) > 0; i-- { // the own log last
		f := e.logs[i]
		if f.ceiling.Rank() > 0 {
			continue // others write it too: a line of the own log hides what it says
		}
		own := make([]memory.ID, len(ids))
		for j, id := range ids {
			own[j] = id.In(s.OwnLog()).From(f.name)
		}
		if _, err := f.log.Erase(ctx, own...); err != nil {
			return fmt.Errorf("erase: %w", err)
		}
	}
	e.tellRules(ctx, changed, nil)
	if e.journal == nil {
		return nil
	}
	wanted := make(map[memory.ID]bool, len(ids))
	for _, id := range ids {
		wanted[id.In(s.OwnLog())] = true
		wanted[e.marks.Sealed(tombstone.Mark{ID: id.In(s.OwnLog())}).ID] = true
	}
	// Of an erasing that was interrupted: what was named again, and what it had
	// come to before its end, as a replica's line that said the same.
	stated := e.statedLines()
	for _, m := range e.marks.Begun() {
		if wanted[m.ID] || !stated[m] {
			marks = append(marks, m)
		}
	}
	return e.journal.Done(ctx, marks)
}

// forgetReplaced forgets what the items that are to be erased replaced and does not go with
// them: no line says any more that they did, once they are gone.
func (e *Engine) forgetReplaced(ctx context.Context, ids []memory.ID) error {
	_, err := e.write(ctx, func(s *memory.State) ([]memory.Record, error) {
		var left []memory.ID
		for _, it := range s.Replaced(ids...) {
			if stands(s, it.ID) || along(s, it.ID) {
				left = append(left, it.ID)
			}
		}
		var recs []memory.Record
		for ids := range slices.Chunk(left, maxTargets) {
			recs = append(recs, memory.Record{Kind: memory.KindForget, Detail: &memory.Detail{Targets: ids}})
		}
		return recs, nil
	})
	return err
}

// along reports whether an item is forgotten for no other reason than that what replaced it is.
func along(s *memory.State, id memory.ID) bool {
	_, ok := s.Along(id)
	return ok
}

// statedLines are the lines that state something, as they were read last.
func (e *Engine) statedLines() map[tombstone.Mark]bool {
	lines := make(map[tombstone.Mark]bool)
	if len(e.marks.Begun()) == 0 {
		return lines
	}
	for _, f := range e.logs {
		for i := range f.entries {
			if entry := &f.entries[i]; entry.Record.States() {
				m := tombstone.Mark{ID: entry.Record.ID.In(f.name), Sum: entry.Sum}
				lines[m], lines[e.marks.Sealed(m)] = true, true
			}
		}
	}
	return lines
}

// marksOf are the lines that state the items.
func (e *Engine) marksOf(s *memory.State, ids []memory.ID) []tombstone.Mark {
	wanted := make(map[memory.ID]bool, len(ids))
	for _, id := range ids {
		wanted[id.In(s.OwnLog())] = true
	}
	var marks []tombstone.Mark
	for _, f := range e.logs {
		for i := range f.entries {
			entry := &f.entries[i]
			id := entry.Record.ID.In(f.name)
			if wanted[id] && entry.Record.States() {
				marks = append(marks, tombstone.Mark{ID: id, Sum: entry.Sum})
			}
		}
	}
	return marks
}

// returned are the lines that were erased once and are there again: an older copy
// of a log was put back.
func (e *Engine) returned() []memory.ID {
	if e.marks.Len() == 0 {
		return nil
	}
	var ids []memory.ID
	seen := make(map[memory.ID]bool)
	for _, f := range e.logs {
		for i := range f.entries {
			entry := &f.entries[i]
			id := entry.Record.ID.In(f.name)
			if entry.Record.States() && e.marks.Has(id, entry.Sum) && !seen[id] {
				ids, seen[id] = append(ids, id), true
			}
		}
	}
	return ids
}

// tellErased says what of the journal a person should know.
func (e *Engine) tellErased() error {
	var t tombstone.ReturnedError
	own := e.logs[0].name
	for _, id := range e.back {
		t.Returned = append(t.Returned, id.From(own))
	}
	for _, m := range e.marks.Begun() {
		t.Begun = append(t.Begun, e.named(m).From(own))
	}
	if len(t.Returned)+len(t.Begun) == 0 {
		return nil
	}
	return &t
}

// named is the name of the line that a mark is of, as a person can give it: a sealed
// hash names nothing.
func (e *Engine) named(m tombstone.Mark) memory.ID {
	if !m.Keyed || m.ID.Hash == 0 {
		return m.ID
	}
	for _, f := range e.logs {
		for i := range f.entries {
			if id := f.entries[i].Record.ID.In(f.name); id.Hash != 0 && e.marks.Sealed(tombstone.Mark{ID: id}).ID == m.ID {
				return id
			}
		}
	}
	return m.ID
}

// readMarks reads the journal.
func (e *Engine) readMarks() error {
	if e.journal == nil {
		return nil
	}
	marks, changed, err := e.journal.ReadNew()
	if err != nil {
		return err
	}
	if changed {
		e.marks, e.behind = marks, true
	}
	return nil
}

// ErrNothingToForget says that a Bulk names nothing.
var ErrNothingToForget = errors.New("nothing to forget")

// Owed returns the memories that were erased on another device and whose text is still in files here, in
// the order of their ids.
func Owed(s *memory.State) []memory.ID {
	var ids []memory.ID
	for _, d := range tombstone.Owed(s) {
		ids = append(ids, d.ID)
	}
	return ids
}
