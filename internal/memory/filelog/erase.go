package filelog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/text"
)

// Erase implements memory.Log. An id that stands nowhere in the log, or that is
// erased already, changes nothing. Of an item of another log, what this log
// says of it goes, and a line that names it as erased is appended, unless the log
// is a replica. The file is replaced as a whole, so that cursors into what changed
// are stale.
//
// Every line that is not concerned keeps its bytes. Of the lines that cannot be
// read, those go that hold the text of what is erased (whatever its case,
// spaces and form of Unicode, escaped or not), that seem to name it, or that
// are named themselves by their hash.
func (l *Log) Erase(ctx context.Context, ids ...memory.ID) (memory.Cursor, error) {
	unlock, err := l.lock(ctx, "erase from")
	if err != nil {
		return "", err
	}
	defer unlock()
	for range maxTries {
		end, err := l.eraseLocked(ctx, ids)
		if !errors.Is(err, jsonl.ErrChanged) {
			return end, err
		}
	}
	return "", fmt.Errorf("erase from %s: %w, again and again", l.path, jsonl.ErrChanged)
}

func (l *Log) eraseLocked(ctx context.Context, ids []memory.ID) (memory.Cursor, error) {
	fail := func(err error) (memory.Cursor, error) {
		return "", fmt.Errorf("erase from %s: %w", l.path, err)
	}
	r, err := l.open("")
	if err != nil {
		return fail(err)
	}
	defer r.close()
	r.locked = true
	own := r.name
	if own == "" {
		if own, err = l.deviceName(); err != nil {
			return fail(err)
		}
	}
	x := newErasure(own, ids)
	if r.f != nil {
		if err := x.gather(ctx, r); err != nil {
			return fail(err)
		}
		if err := x.sealNames(ctx, r, l.o); err != nil {
			return fail(err)
		}
		if err := x.decide(ctx, r); err != nil {
			return fail(err)
		}
	}
	if len(x.swaps) > 0 {
		l.know(head{})
		l.dropHead()
		l.dropSketches()
		err := jsonl.Rewrite(l.o.FS, l.path, r.stat, func(w io.Writer) error { return x.copy(w, r) })
		if err != nil {
			return "", err
		}
	}
	end, err := l.reread(ctx)
	if err != nil {
		return fail(err)
	}
	return l.markForeign(ctx, end, x)
}

// reread reads the whole log and returns its end.
func (l *Log) reread(ctx context.Context) (memory.Cursor, error) {
	r, err := l.open("")
	if err != nil {
		return "", err
	}
	defer r.close()
	r.locked = true
	if _, err := r.rest(ctx); err != nil {
		return "", err
	}
	return cursor(r.at), nil
}

// markForeign appends a line for each erased item of another log that has none.
func (l *Log) markForeign(ctx context.Context, end memory.Cursor, x *erasure) (memory.Cursor, error) {
	missing := x.unmarked()
	if len(missing) == 0 || l.o.Replica {
		return end, nil
	}
	if l.o.Now == nil {
		return "", fmt.Errorf("erase from %s: no clock for the line that names an item of another log", l.path)
	}
	return l.appendLocked(ctx, end, func(later []memory.Entry) ([]memory.Record, error) {
		n := x.most
		for _, e := range later {
			n = max(n, e.MaxID())
		}
		recs := make([]memory.Record, 0, len(missing))
		for _, id := range missing {
			n++
			recs = append(recs, memory.Record{ID: memory.Num(n), Time: l.o.Now().UTC(), Kind: memory.KindErased, Target: id})
		}
		return recs, nil
	})
}

// An erasure is what is to be erased, and what has to be done to the file.
type erasure struct {
	own    string             // the log's name: ids in it are bare
	order  []memory.ID        // as asked for
	ids    map[memory.ID]bool // the items
	stated map[memory.ID]bool // those of them that a line of the log states
	marked map[memory.ID]bool // those that a line names as erased, by target
	edits  map[memory.ID]bool // the lines that edit them
	texts  []string           // what the items said
	sealed map[memory.ID]bool // the targets of erased lines that are sealed
	// names are the new names of lines: see sealNames.
	names map[memory.ID]memory.ID
	set   *text.Matcher // of texts; nil before all are known
	most  int64         // the largest number that any line names
	swaps []swap        // in file order
}

// A swap puts text in the place of len bytes at offset.
type swap struct {
	offset, len int64
	text        []byte
}

func newErasure(own string, ids []memory.ID) *erasure {
	x := &erasure{
		own:    own,
		ids:    map[memory.ID]bool{},
		stated: map[memory.ID]bool{},
		marked: map[memory.ID]bool{},
		edits:  map[memory.ID]bool{},
		sealed: map[memory.ID]bool{},
	}
	for _, id := range ids {
		if id = id.From(own); !id.IsZero() && !x.ids[id] {
			x.ids[id] = true
			x.order = append(x.order, id)
		}
	}
	return x
}

// unmarked lists the items of other logs that no line names as erased.
func (x *erasure) unmarked() []memory.ID {
	var list []memory.ID
	for _, id := range x.order {
		if id.Log != "" && !x.marked[id] {
			list = append(list, id)
		}
	}
	return list
}

// gather finds the lines that state and edit the items, and what they say.
func (x *erasure) gather(ctx context.Context, r *reader) error {
	for line, err := range x.lines(ctx, r) {
		if err != nil {
			return err
		}
		rec := line.entry.Record
		x.most = max(x.most, line.entry.MaxID())
		switch target := rec.Target.From(x.own); {
		case line.entry.Bad != nil:
		case x.states(rec):
			x.stated[rec.ID.From(x.own)] = true
			x.texts = append(x.texts, rec.Content)
		case rec.Kind == memory.KindEdit && x.ids[target]:
			x.edits[rec.ID.From(x.own)] = true
			x.texts = append(x.texts, rec.Content)
		case rec.Kind == memory.KindErased && rec.Keyed():
			x.sealed[target] = true
		case rec.Kind == memory.KindErased && x.ids[target]:
			x.marked[target] = true
		}
	}
	return nil
}

// states reports whether rec states one of the items.
func (x *erasure) states(rec *memory.Record) bool {
	return rec.Kind != "" && !rec.Kind.Changes() && x.ids[rec.ID.From(x.own)]
}

// rawLine is a line as it stands and as it was understood.
type rawLine struct {
	jsonl.Line
	entry memory.Entry
}

// lines yields the lines of the file, with all their bytes.
func (x *erasure) lines(ctx context.Context, r *reader) func(func(rawLine, error) bool) {
	return func(yield func(rawLine, error) bool) {
		section := io.NewSectionReader(r.f, 0, r.stat.Size())
		for line, err := range jsonl.Lines(section, memory.MaxLine) {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				yield(rawLine{}, err)
				return
			}
			if !yield(rawLine{line, r.entry(line)}, nil) {
				return
			}
		}
	}
}

// decide finds out what has to change.
func (x *erasure) decide(ctx context.Context, r *reader) error {
	kept := int64(0) // the largest number that is still named afterwards
	var broken []rawLine
	for line, err := range x.lines(ctx, r) {
		if err != nil {
			return err
		}
		if line.entry.Bad != nil {
			gone, err := x.broken(r, line)
			if err != nil {
				return err
			}
			if gone {
				line.Bytes = nil // it is valid for this turn only
				broken = append(broken, line)
				x.swaps = append(x.swaps, swap{offset: line.Offset})
				continue
			}
		} else if rec, changed := x.changed(*line.entry.Record); changed {
			line.entry.Record = &rec
			x.swap(line, rec)
		}
		kept = max(kept, line.entry.MaxID())
	}
	// What takes the place of a line that cannot be read must not free a number
	// that stood on nothing else.
	next := 0
	for i := range x.swaps {
		if x.swaps[i].text != nil {
			continue
		}
		line := broken[next]
		next++
		rec := x.marker(line.entry.Bad.MaxID)
		if n := line.entry.Bad.MaxID; n > kept {
			rec, kept = memory.Record{ID: memory.Num(n), Kind: memory.KindErased}, n
		}
		x.swaps[i] = newSwap(line, rec)
	}
	return nil
}

// changed returns what rec becomes, if it changes at all.
func (x *erasure) changed(rec memory.Record) (memory.Record, bool) {
	id, target := rec.ID.From(x.own), rec.Target.From(x.own)
	switch {
	case x.states(&rec):
		return x.erased(id), true
	case x.edits[id] && rec.Kind == memory.KindEdit:
		gone := x.erased(id)
		if id.N == 0 || !x.stated[target] && target.Log == "" {
			gone.Detail = nil
			x.point(&gone, target)
		}
		return gone, true
	}
	concerned, changed := x.concerns(&rec), x.follow(&rec)
	if !concerned {
		return rec, changed
	}
	d := rec.Details()
	changed = changed || d.Reason != ""
	d.Reason, rec.Detail = "", &d
	if rec.Kind.Changes() && rec.Kind != memory.KindEdit && (rec.Content != "" || len(d.Extra) > 0 && x.holdsText(rec.AppendJSON(nil))) {
		rec.Content, d.Extra, changed = "", nil, true
	}
	return rec, changed
}

// erased is the line that stands in the place of the line id.
func (x *erasure) erased(id memory.ID) memory.Record {
	if id.N == 0 {
		// A line without a number would get another name with its new bytes.
		rec := memory.Record{Kind: memory.KindErased}
		x.point(&rec, id)
		return rec
	}
	return memory.Record{ID: memory.Num(id.N), Kind: memory.KindErased}
}

// concerns reports whether rec names one of the items or a line that edits one.
func (x *erasure) concerns(rec *memory.Record) bool {
	d := rec.Details()
	for _, list := range [][]memory.ID{{rec.Target}, d.Targets, d.Supersedes, d.Cites} {
		for _, id := range list {
			if id = id.From(x.own); x.ids[id] || x.edits[id] {
				return true
			}
		}
	}
	return false
}

// marker is what takes the place of a line that cannot be read and seems to name
// n. It says no more than that the items are erased, which is so anyway.
func (x *erasure) marker(n int64) memory.Record {
	if id := memory.Num(n); n > 0 && x.ids[id] {
		return x.erased(id)
	}
	id := x.order[0]
	if id.Log != "" {
		rec := memory.Record{Kind: memory.KindErased}
		x.point(&rec, id)
		return rec
	}
	return x.erased(id)
}

func (x *erasure) swap(line rawLine, rec memory.Record) {
	x.swaps = append(x.swaps, newSwap(line, rec))
}

// newSwap puts rec in the place of line, whose byte order mark and carriage
// return stay.
func newSwap(line rawLine, rec memory.Record) swap {
	s := swap{offset: line.Offset, len: line.Len, text: rec.AppendJSON(nil)}
	if line.Bytes != nil {
		skipped := line.Len - int64(len(line.Bytes))
		s.offset += skipped
		s.len -= skipped
		if bytes.HasSuffix(line.Bytes, []byte("\r")) {
			s.len--
		}
	}
	if !line.Ended {
		s.text = append(s.text, '\n')
	}
	return s
}

// copy writes the file with the swaps done.
func (x *erasure) copy(w io.Writer, r *reader) error {
	from := int64(0)
	for _, s := range x.swaps {
		if _, err := io.Copy(w, io.NewSectionReader(r.f, from, s.offset-from)); err != nil {
			return err
		}
		if _, err := w.Write(s.text); err != nil {
			return err
		}
		from = s.offset + s.len
	}
	rest := r.stat.Size() - from
	n, err := io.Copy(w, io.NewSectionReader(r.f, from, rest))
	if err == nil && n < rest {
		err = jsonl.ErrChanged
	}
	return err
}
