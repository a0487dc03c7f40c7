package filelog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc64"

	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/regular"
)

// maxTries is how often an append begins again because the file was edited
// between being read and being written to.
const maxTries = 8

// Append implements memory.Log. It holds the lock of the directory while plan
// runs, so plan must not append. Besides the errors of the contract it returns
// memory.ErrBusy, memory.ErrForeign, regular.ErrNotFile, and *jsonl.SyncError.
//
// A record must have a number that is above all that the lines name as far as
// they are known here, and fit on a line; a plan that breaks this is refused.
func (l *Log) Append(ctx context.Context, at memory.Cursor, plan func(later []memory.Entry) ([]memory.Record, error)) (memory.Cursor, error) {
	if l.o.Replica {
		return "", fmt.Errorf("append to %s: %w", l.path, ErrReadOnly)
	}
	unlock, err := l.lock(ctx, "append to")
	if err != nil {
		return "", err
	}
	defer unlock()
	end, err := l.appendLocked(ctx, at, plan)
	if err != nil {
		return "", err
	}
	return end, nil
}

// appendLocked is Append under the lock.
func (l *Log) appendLocked(ctx context.Context, at memory.Cursor, plan func(later []memory.Entry) ([]memory.Record, error)) (memory.Cursor, error) {
	var wrote []byte // by a try whose file was replaced
	for range maxTries {
		if wrote != nil {
			// If whoever replaced the file had read the new lines already, they
			// are in the new one, and must not be written twice.
			// That they are there is not yet that they are on the disk.
			end, ok, err := l.find(ctx, wrote)
			if ok && err == nil {
				err = jsonl.Confirm(l.o.FS, l.path)
			}
			if err != nil {
				return "", err
			}
			if ok {
				return end, nil
			}
		}
		end, data, err := l.try(ctx, at, plan)
		switch {
		case errors.Is(err, jsonl.ErrReplaced):
			wrote = data
		case !errors.Is(err, jsonl.ErrChanged):
			return end, err
		}
	}
	return "", fmt.Errorf("append to %s: %w, again and again", l.path, jsonl.ErrChanged)
}

// try is one attempt to append. data is what it wrote or tried to write.
func (l *Log) try(ctx context.Context, at memory.Cursor, plan func(later []memory.Entry) ([]memory.Record, error)) (end memory.Cursor, data []byte, err error) {
	fail := func(err error) (memory.Cursor, []byte, error) {
		return "", data, fmt.Errorf("append to %s: %w", l.path, err)
	}
	r, err := l.open(at)
	if err != nil {
		return fail(err)
	}
	defer r.close()
	r.locked = true
	later, err := r.rest(ctx)
	if err != nil {
		return fail(err)
	}
	id, err := l.identify(r.name)
	if err != nil {
		return fail(err)
	}
	recs, err := plan(later)
	if err != nil {
		return "", nil, err
	}
	if len(recs) == 0 { // what plan found is enough for it, once it is on the disk
		return cursor(r.at), nil, jsonl.Confirm(l.o.FS, l.path)
	}
	if data, err = l.lines(r, id.name, recs); err != nil {
		return fail(err)
	}
	if err := l.settle(id); err != nil {
		return fail(err)
	}
	done, err := jsonl.AppendAfter(l.o.FS, l.path, r.stat, data)
	if err != nil {
		l.know(head{})
		return "", data, err
	}
	return cursor(l.appended(r, data, recs, done)), data, nil
}

// rest reads the lines from r.at to the end, which must be where it was when
// the file was opened.
func (r *reader) rest(ctx context.Context) ([]memory.Entry, error) {
	var list []memory.Entry
	for e, err := range r.entries(ctx) {
		if err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	if r.stat != nil && r.at.Offset != r.stat.Size() {
		return nil, jsonl.ErrChanged // cut shorter meanwhile
	}
	return list, nil
}

// lines gives the lines to append behind what r has read: recs, and before them
// the meta line if the log is empty.
func (l *Log) lines(r *reader, name string, recs []memory.Record) ([]byte, error) {
	var data []byte
	if r.at.Offset == 0 {
		if l.o.Now == nil {
			return nil, errors.New("no clock for the meta line")
		}
		m := memory.Meta{Format: memory.Format, Log: name, Created: l.o.Now().UTC()}
		data = append(m.AppendJSON(data), '\n')
	}
	spent := max(r.maxID, r.head.MaxID)
	for _, rec := range recs {
		n := rec.ID.N
		if n <= spent || n > memory.MaxID || rec.ID.Log != "" && rec.ID.Log != name {
			return nil, fmt.Errorf("a record has the id %q: want a number of this log from %d to %d", rec.ID, spent+1, int64(memory.MaxID))
		}
		spent = n
		before := len(data)
		data = append(rec.AppendJSON(data), '\n')
		if size := len(data) - before - 1; size > memory.MaxLine {
			return nil, fmt.Errorf("the record %v takes %d bytes, more than the %d that a line may have", rec.ID, size, memory.MaxLine)
		}
	}
	return data, nil
}

// appended remembers what the file is behind an append of data, here and in the
// head file, and returns the position behind it.
func (l *Log) appended(r *reader, data []byte, recs []memory.Record, done jsonl.Appended) jsonl.Mark {
	h := head{Mark: r.at.Add(data), MaxID: max(r.maxID, r.head.MaxID), Sure: true}
	for _, rec := range recs {
		// The records themselves are above all numbers, known here or not: that
		// is what plan promised.
		h.MaxID = max(h.MaxID, rec.MaxID(), rec.ID.N)
	}
	if done.Settled {
		h.Stamp, h.Chain = done.Stamp, r.head.Chain
		if h.Chain == 0 {
			h.Chain = newChain(h)
		}
		h.Kept = l.keepSketches(r, data, done.Offset)
	}
	l.know(h)
	l.writeHead(h)
	return h.Mark
}

// newChain names a chain of appends by the state it begins in, which never comes
// back: the stamp has the time of the file's last change.
func newChain(h head) uint64 {
	sum := crc64.Checksum(fmt.Appendf(nil, "%v %v", h.Stamp, h.Mark), crc64.MakeTable(crc64.ISO))
	return max(sum, 1)
}

// find looks for the last line of data in the file. If it is there the whole of
// data is, since it was written as one: end is the end of the log.
func (l *Log) find(ctx context.Context, data []byte) (end memory.Cursor, ok bool, err error) {
	lines := bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
	last := lines[len(lines)-1]
	f, err := regular.Open(l.path)
	if err != nil {
		return "", false, nil // no file has no line
	}
	defer f.Close()
	for line, err := range jsonl.Lines(f, memory.MaxLine) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return "", false, fmt.Errorf("append to %s: %w", l.path, err)
		}
		ok = ok || bytes.Equal(line.Bytes, last)
		end = cursor(line.End)
	}
	return end, ok, nil
}
