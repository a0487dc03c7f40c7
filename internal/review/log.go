package review

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/regular"
)

// A Log is the file of lines. It is safe for use by several processes; one
// value is not for several goroutines.
type Log struct {
	Path string
	Dir  string           // whose lock is taken for every append
	Wait time.Duration    // for that lock; 0: 5 s
	Now  func() time.Time // required for Append
	FS   jsonl.FS         // nil: the machine's
}

func (l *Log) fs() jsonl.FS {
	if l.FS == nil {
		return jsonl.OS{}
	}
	return l.FS
}

// Read returns what the file says. A missing file says nothing.
func (l *Log) Read() (*Book, error) {
	b, _, err := l.read()
	return b, err
}

// read also returns what Stat said of the file, nil if there is none.
func (l *Log) read() (*Book, fs.FileInfo, error) {
	entries, stat, err := l.entries()
	if err != nil {
		return nil, nil, fmt.Errorf("read the review queue %s: %w", l.Path, err)
	}
	return fold(entries), stat, nil
}

// entries reads the lines.
func (l *Log) entries() ([]entry, fs.FileInfo, error) {
	f, stat, err := l.open()
	if f == nil {
		return nil, nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	var list []entry
	for line, err := range jsonl.Lines(f, MaxLine) {
		if err != nil {
			return nil, nil, err
		}
		list = append(list, parseEntry(line))
	}
	return list, stat, nil
}

func parseEntry(line jsonl.Line) entry {
	e := entry{bad: fmt.Errorf("longer than %d bytes", MaxLine)}
	if line.Len <= MaxLine {
		e = parseLine(line.Bytes)
	}
	e.number = line.Number
	return e
}

// open opens the file, which is nil if there is none.
func (l *Log) open() (*os.File, fs.FileInfo, error) {
	f, err := regular.Open(l.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	stat, err := f.Stat()
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, stat, nil
}

// A Draft is what an append adds: proposals, decisions and undos, which get their
// numbers and the time in this order.
type Draft struct {
	Proposals []*Proposal
	Decisions []*Decision
	Undos     []*Undo
	// Above is a number that is spent, whatever the file says: a memory may name
	// proposals of a queue that was deleted or set back since.
	Above int64
}

// Append adds what plan makes of the book, durably, while nobody else can append:
// all or nothing. plan must not append itself, and may be called again when an editor
// got in between. What was added has its number when Append returns. An empty draft adds nothing.
func (l *Log) Append(ctx context.Context, plan func(*Book) (Draft, error)) error {
	lock, err := jsonl.LockDir(ctx, l.Dir, cmp.Or(l.Wait, 5*time.Second))
	if err != nil {
		return fmt.Errorf("append to the review queue: %w", err)
	}
	for range maxTries {
		// An editor takes no lock: what was read may be another file by now.
		if err = l.append(plan); !errors.Is(err, jsonl.ErrChanged) {
			break
		}
	}
	return errors.Join(err, lock.Unlock())
}

// maxTries is how often an append begins again because the file was edited between
// being read and being written to.
const maxTries = 8

func (l *Log) append(plan func(*Book) (Draft, error)) error {
	book, read, err := l.read()
	if err != nil {
		return err
	}
	d, err := plan(book)
	if err != nil {
		return err
	}
	next, now := max(book.most, d.Above), l.Now().UTC().Truncate(time.Second)
	number := func(id *int64, at *time.Time) { next++; *id, *at = next, now }
	var data []byte
	for _, p := range d.Proposals {
		number(&p.ID, &p.Time)
		if p.Hash == "" {
			p.Hash = Hash(&p.Record)
		}
		before := len(data)
		if data = p.appendLine(data); len(data)-before > MaxLine {
			return fmt.Errorf("propose: the line would have more than %d bytes", MaxLine)
		}
	}
	for _, x := range d.Decisions {
		if number(&x.ID, &x.Time); x.Proposal != nil {
			x.Target = x.Proposal.ID
		}
		data = x.appendLine(data)
	}
	for _, u := range d.Undos {
		number(&u.ID, &u.Time)
		data = u.appendLine(data)
	}
	if len(data) == 0 {
		// It stands there already: by a process, perhaps, that died before it
		// was on the disk.
		if err := jsonl.Confirm(l.fs(), l.Path); err != nil {
			return fmt.Errorf("confirm the review queue: %w", err)
		}
		return nil
	}
	if next > memory.MaxID {
		return fmt.Errorf("append to the review queue %s: all numbers up to %d are spent", l.Path, memory.MaxID)
	}
	if _, err := jsonl.AppendAfter(l.fs(), l.Path, read, data); err != nil {
		return fmt.Errorf("append to the review queue: %w", err)
	}
	return nil
}

// Erase leaves nothing but the numbers of the proposals that gone chooses, and
// takes away the lines that cannot be read whose bytes suspect chooses. All other
// bytes stay as they are. It returns how many lines it changed. The caller holds
// the lock of Dir.
func (l *Log) Erase(gone func(*Proposal) bool, suspect func([]byte) bool) (int, error) {
	kept, stat, changed, err := l.without(gone, suspect)
	if err == nil && changed > 0 {
		err = jsonl.Rewrite(l.fs(), l.Path, stat, func(w io.Writer) error {
			_, err := w.Write(kept)
			return err
		})
	}
	if err != nil {
		return 0, fmt.Errorf("erase from the review queue %s: %w", l.Path, err)
	}
	return changed, nil
}

// without gives the bytes of the file as Erase leaves them.
func (l *Log) without(gone func(*Proposal) bool, suspect func([]byte) bool) (kept []byte, stat fs.FileInfo, changed int, err error) {
	f, stat, err := l.open()
	if f == nil {
		return nil, nil, 0, err
	}
	defer func() { _ = f.Close() }() // it was only read
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, nil, 0, err
	}
	for line, err := range jsonl.Lines(bytes.NewReader(data), MaxLine) {
		if err != nil {
			return nil, nil, 0, err
		}
		raw := data[line.Offset : line.Offset+line.Len]
		e := parseEntry(line)
		switch {
		case e.proposal != nil && gone(e.proposal):
			kept = append(kept, erasedLine(e.proposal.ID)...)
		case e.bad != nil && suspect(raw):
			if e.most > 0 { // the number stays spent
				kept = append(kept, erasedLine(e.most)...)
			}
		default:
			kept = append(kept, data[line.Offset:line.End.Offset]...)
			continue
		}
		changed++
	}
	return kept, stat, changed, nil
}
