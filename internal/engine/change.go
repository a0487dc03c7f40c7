package engine

import (
	"context"
	"fmt"
	"slices"
	"time"

	"ken/internal/memory"
)

// forget is Writer.Forget for a person.
func (e *Engine) forget(ctx context.Context, reason string, ids ...memory.ID) (Receipt, error) {
	return e.change(ctx, ids, memory.Record{Kind: memory.KindForget, Detail: &memory.Detail{Reason: e.label(reason)}})
}

// An Edit names the fields of an item that change; nil keeps a field as it is,
// and a zero value takes it away.
type Edit struct {
	Content    *string
	Scope      *memory.Scope // empty means user
	Tags       *[]string
	Key        *string
	Importance *int // 1..10
	Expires    *time.Time
	ValidFrom  *time.Time
	ValidTo    *time.Time
	Supersedes *[]memory.ID   // items that stand
	Source     *memory.Source // where the item was stated once more
	Force      bool           // as in Draft
}

// edit is Writer.Edit for a person.
func (e *Engine) edit(ctx context.Context, id memory.ID, ed Edit) (Receipt, error) {
	rec, err := e.editLine(ed)
	if err != nil {
		return Receipt{}, err
	}
	clear := rec.Detail.Clear
	return e.changeIf(ctx, []memory.ID{id}, rec, func(s *memory.State, id memory.ID) error {
		for i, other := range rec.Detail.Supersedes {
			switch {
			case !stands(s, other):
				return notActive(other)
			case other.From(s.OwnLog()) == id.From(s.OwnLog()):
				return fmt.Errorf("%s cannot take its own place", id)
			}
			rec.Detail.Supersedes[i] = other.From(s.OwnLog())
		}
		it, _ := s.Get(id)
		old := it.Record.Details()
		if most, ok := binds(it.Record.Kind, it.Origin); ok && ed.Content != nil {
			rebind(&rec, old, clear, most)
		}
		return checkTimes(after(old.ValidFrom, ed.ValidFrom), after(old.ValidTo, ed.ValidTo))
	})
}

// after is a time of an item after an edit.
func after(old time.Time, edited *time.Time) time.Time {
	if edited != nil {
		return *edited
	}
	return old
}

// editLine is the line that says ed, without target.
func (e *Engine) editLine(ed Edit) (memory.Record, error) {
	force := ed.Force
	if ed.Force = false; ed == (Edit{}) {
		return memory.Record{}, ErrNoChange
	}
	var clear []string
	detail := new(memory.Detail)
	rec := memory.Record{Kind: memory.KindEdit, Source: ed.Source, Detail: detail}
	if ed.Content != nil {
		var err error
		if rec.Content, detail.Extra, err = e.content(*ed.Content, force); err != nil {
			return rec, err
		}
	}
	if ed.Scope != nil {
		if err := checkScope(*ed.Scope); err != nil {
			return rec, err
		}
		if rec.Scope = *ed.Scope; rec.Scope == "" || rec.Scope == memory.ScopeUser {
			rec.Scope, clear = "", append(clear, "scope")
		}
	}
	if ed.Tags != nil {
		if rec.Tags = e.tags(*ed.Tags); len(rec.Tags) == 0 {
			clear = append(clear, "tags")
		}
	}
	if ed.Key != nil {
		if rec.Key = e.label(*ed.Key); rec.Key == "" {
			clear = append(clear, "key")
		}
	}
	if ed.Importance != nil {
		if rec.Importance = *ed.Importance; rec.Importance < 0 || rec.Importance > 10 {
			return rec, fmt.Errorf("importance %d: must be 1 to 10", rec.Importance)
		} else if rec.Importance == 0 {
			clear = append(clear, "importance")
		}
	}
	for _, t := range [...]struct {
		name string
		at   *time.Time
		to   *time.Time
	}{{"expires", ed.Expires, &detail.Expires}, {"valid_from", ed.ValidFrom, &detail.ValidFrom}, {"valid_to", ed.ValidTo, &detail.ValidTo}} {
		if t.at != nil {
			if *t.to = *t.at; t.at.IsZero() {
				clear = append(clear, t.name)
			}
		}
	}
	if ed.Supersedes != nil {
		if detail.Supersedes = slices.Clone(*ed.Supersedes); len(detail.Supersedes) == 0 {
			clear = append(clear, "supersedes")
		}
	}
	detail.Clear = clear
	return rec, nil
}

// pin appends a line of that kind for each of ids.
func (e *Engine) pin(ctx context.Context, kind memory.Kind, ids ...memory.ID) (Receipt, error) {
	return e.change(ctx, ids, memory.Record{Kind: kind})
}

// change appends rec once for each item that ids name, if all of them stand.
// The receipt has an id for each of ids: references to one item share a line.
func (e *Engine) change(ctx context.Context, ids []memory.ID, rec memory.Record) (Receipt, error) {
	return e.changeIf(ctx, ids, rec, func(*memory.State, memory.ID) error { return nil })
}

// changeIf is change if check, asked for each of them, has no objection.
func (e *Engine) changeIf(ctx context.Context, ids []memory.ID, rec memory.Record, check func(*memory.State, memory.ID) error) (Receipt, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	var line []int // by position in ids: which of the records
	r, err := e.write(ctx, func(s *memory.State) ([]memory.Record, error) {
		var recs []memory.Record
		line = line[:0]
		at := make(map[memory.ID]int, len(ids))
		for _, id := range ids {
			if !stands(s, id) {
				return nil, notActive(id)
			}
			if err := check(s, id); err != nil {
				return nil, err
			}
			target := id.From(s.OwnLog())
			i, ok := at[target]
			if !ok {
				i = len(recs)
				at[target] = i
				rec.Target = target
				recs = append(recs, rec)
			}
			line = append(line, i)
		}
		return recs, nil
	})
	if err != nil {
		return Receipt{}, err
	}
	var spread Receipt
	for _, i := range line {
		spread.IDs = append(spread.IDs, r.IDs[i])
	}
	return spread, nil
}

// stands reports whether id names an item that may be changed.
func stands(s *memory.State, id memory.ID) bool {
	switch s.Status(id) {
	case memory.StatusActive, memory.StatusWaiting, memory.StatusSuperseded:
		return true
	}
	return false
}

func notActive(id memory.ID) error { return fmt.Errorf("%s: %w", id, ErrNotActive) }

// checkTargets refuses a change of what does not stand any more.
func checkTargets(s *memory.State, rec *memory.Record) error {
	if !rec.Kind.Changes() {
		return nil
	}
	for _, id := range append([]memory.ID{rec.Target}, rec.Details().Targets...) {
		if !id.IsZero() && !stands(s, id) {
			return notActive(id)
		}
	}
	return nil
}

// undo is Writer.Undo for a person.
func (e *Engine) undo(ctx context.Context, ids ...memory.ID) (Receipt, []memory.Change, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	var undone []memory.Change
	r, err := e.write(ctx, func(s *memory.State) ([]memory.Record, error) {
		var err error
		if undone, err = undoable(s, ids); err != nil {
			return nil, err
		}
		recs := make([]memory.Record, len(undone))
		for i, ch := range undone {
			recs[i] = memory.Record{Kind: memory.KindUndo, Target: ch.ID}
		}
		return recs, nil
	})
	if err != nil {
		return Receipt{}, nil, err
	}
	return r, undone, nil
}

// undoable finds the lines that an undo of ids takes back.
func undoable(s *memory.State, ids []memory.ID) ([]memory.Change, error) {
	if len(ids) == 0 {
		ch, ok := s.Undoable()
		if !ok {
			return nil, ErrNothingToUndo
		}
		return []memory.Change{ch}, nil
	}
	var list []memory.Change
	for _, id := range ids {
		ch, ok := s.Line(id)
		if !ok || ch.Undone || ch.Record.Kind == memory.KindErased || s.Status(id) == memory.StatusErased {
			return nil, notActive(id)
		}
		if !slices.ContainsFunc(list, func(c memory.Change) bool { return c.ID == ch.ID }) {
			list = append(list, ch)
		}
	}
	return list, nil
}
