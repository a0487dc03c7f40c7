package filelog

import (
	"context"
	"fmt"
	"slices"

	"ken/internal/memory"
)

// A line that was written without an id is named by a hash of its bytes: whoever has the
// name finds a short text by trying texts. So an erasing puts sealed names in the place
// of those of the lines that go, wherever the log has them. The names of other logs'
// lines stay in the own log: they are what hides those lines there and elsewhere.

// sealNames finds the names that are to be sealed. A line without id that has such a name
// on it gets another one itself, with its new bytes: that is followed.
func (x *erasure) sealNames(ctx context.Context, r *reader, o Options) error {
	hashed := false
	ours := func(id memory.ID) bool {
		here := id.Hash != 0 && (id.Log == "" || o.Replica) && !x.sealed[id]
		hashed = hashed || here
		return here
	}
	var gone []memory.ID
	for _, set := range []map[memory.ID]bool{x.ids, x.edits} {
		for id := range set {
			if ours(id) {
				gone = append(gone, id)
			}
		}
	}
	if !hashed || o.Seal == nil {
		return nil
	}
	seal, err := o.Seal()
	if err != nil {
		return fmt.Errorf("seal the name of a line: %w", err)
	}
	x.names = make(map[memory.ID]memory.ID, len(gone))
	for _, id := range gone {
		x.names[id] = seal.ID(id)
	}
	for n := 0; len(x.names) > n; { // a line that follows has another name by that
		n = len(x.names)
		for line, err := range x.lines(ctx, r) {
			if err != nil {
				return err
			}
			id := line.entry.Record.ID.From(x.own)
			if line.entry.Bad != nil || id.Hash == 0 || x.names[id] != (memory.ID{}) {
				continue
			}
			if rec, changed := x.changed(*line.entry.Record); changed && rec.Kind != memory.KindErased {
				x.names[id] = memory.HashID(rec.AppendJSON(nil))
			}
		}
	}
	return nil
}

// name is what id is called afterwards.
func (x *erasure) name(id memory.ID) memory.ID {
	if now, ok := x.names[id]; ok {
		return now
	}
	return id
}

// point gives an erased line its target.
func (x *erasure) point(rec *memory.Record, id memory.ID) {
	if now := x.name(id); now != id {
		rec.PointSealed(now)
	} else {
		rec.Target = id
	}
}

// follow has rec call the lines what they are called afterwards. It reports whether
// anything changed, and shares nothing that it changes.
func (x *erasure) follow(rec *memory.Record) bool {
	changed := false
	if len(x.names) == 0 {
		return false
	}
	one := func(id memory.ID) memory.ID {
		now, ok := x.names[id.From(x.own)]
		if !ok {
			return id
		}
		changed = true
		return now
	}
	list := func(ids []memory.ID) []memory.ID {
		ids = slices.Clone(ids)
		for i := range ids {
			ids[i] = one(ids[i])
		}
		return ids
	}
	if rec.Kind == memory.KindErased {
		if id := rec.Target.From(x.own); x.name(id) != id {
			x.point(rec, id)
			changed = true
		}
	} else {
		rec.Target = one(rec.Target)
	}
	if rec.Detail != nil {
		d := rec.Details()
		d.Targets, d.Supersedes, d.Cites, d.After = list(d.Targets), list(d.Supersedes), list(d.Cites), one(d.After)
		rec.Detail = &d
	}
	return changed
}
