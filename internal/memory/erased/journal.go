package erased

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/regular"
)

// A Mark is one stating line.
type Mark struct {
	ID  memory.ID // with its log
	Sum memory.Sum
}

// Marks are what a journal says.
type Marks struct {
	done  map[memory.ID][]memory.Sum
	begun []Mark
}

// Has reports whether the line was erased.
func (m Marks) Has(id memory.ID, sum memory.Sum) bool { return slices.Contains(m.done[id], sum) }

// Len is the number of lines that were erased, those of one number counted once.
func (m Marks) Len() int { return len(m.done) }

// Begun are the lines whose erasing was begun and not finished, oldest first.
func (m Marks) Begun() []Mark { return m.begun }

// A Journal is the file of marks. Its methods may be called by several processes.
type Journal struct {
	Path string
	Now  func() time.Time // required to write
	FS   jsonl.FS         // nil: the machine's

	mu   sync.Mutex
	seen fs.FileInfo // of the file that ReadNew read last; nil if there was none
}

// maxLine is more than a line of the journal has.
const maxLine = 4 << 10

// lockWait is how long to wait for others that write.
const lockWait = 5 * time.Second

// Read returns what the file says. A missing file says nothing; lines that are no
// marks are passed over.
func (j *Journal) Read() (Marks, error) {
	m := Marks{done: make(map[memory.ID][]memory.Sum)}
	f, err := regular.Open(j.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return m, fmt.Errorf("read the list of what was erased: %w", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	begun := make(map[Mark]bool)
	for line, err := range jsonl.Lines(f, maxLine) {
		if err != nil {
			return m, fmt.Errorf("read the list of what was erased %s: %w", j.Path, err)
		}
		mark, done, ok := parse(line.Bytes)
		switch {
		case !ok:
		case !done:
			if !begun[mark] {
				m.begun, begun[mark] = append(m.begun, mark), true
			}
		default:
			if !m.Has(mark.ID, mark.Sum) {
				m.done[mark.ID] = append(m.done[mark.ID], mark.Sum)
			}
		}
	}
	m.begun = slices.DeleteFunc(m.begun, func(b Mark) bool { return m.Has(b.ID, b.Sum) })
	return m, nil
}

// ReadNew is Read for who has asked before: it reads nothing if the file is as it
// was then.
func (j *Journal) ReadNew() (m Marks, changed bool, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	now, err := os.Stat(j.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		was := j.seen
		j.seen = nil
		return Marks{}, was != nil, nil
	case err != nil:
		return m, false, fmt.Errorf("read the list of what was erased: %w", err)
	case j.seen != nil && os.SameFile(j.seen, now) && j.seen.Size() == now.Size() && j.seen.ModTime().Equal(now.ModTime()):
		return m, false, nil
	}
	if m, err = j.Read(); err != nil {
		return m, false, err
	}
	j.seen = now
	return m, true, nil
}

// parse reads a line.
func parse(line []byte) (m Mark, done, ok bool) {
	fields, _, err := jsonl.Fields(line, nil)
	if err != nil {
		return m, false, false
	}
	for _, f := range fields {
		switch string(f.Name) {
		case "ref":
			text, _ := f.Value.Text()
			if m.ID, err = memory.ParseID(text); err != nil {
				return m, false, false
			}
		case "sum":
			text, _ := f.Value.Text()
			n, err := strconv.ParseUint(text, 16, 32)
			if err != nil {
				return m, false, false
			}
			m.Sum = memory.Sum(n)
		case "done":
			done, _ = f.Value.Bool()
		}
	}
	return m, done, !m.ID.IsZero()
}

// Begin says that the lines are about to be erased, durably. What the journal has
// already is not written again.
func (j *Journal) Begin(ctx context.Context, marks []Mark) error { return j.add(ctx, marks, false) }

// Done says that the lines were erased, durably.
func (j *Journal) Done(ctx context.Context, marks []Mark) error { return j.add(ctx, marks, true) }

func (j *Journal) add(ctx context.Context, marks []Mark, done bool) (err error) {
	if len(marks) == 0 {
		return nil
	}
	lock, err := jsonl.LockDir(ctx, filepath.Dir(j.Path), lockWait)
	if err != nil {
		return fmt.Errorf("note what is erased: %w", err)
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	have, err := j.Read()
	if err != nil {
		return err
	}
	begun := make(map[Mark]bool, len(have.begun))
	for _, m := range have.begun {
		begun[m] = true
	}
	var data []byte
	now := j.Now().UTC().Truncate(time.Second)
	for _, m := range marks {
		if have.Has(m.ID, m.Sum) || !done && begun[m] {
			continue
		}
		ref, sum := m.ID.String(), m.Sum.String()
		data = jsonl.AppendField(append(data, '{'), "ts", &now)
		data = jsonl.AppendField(data, "ref", &ref)
		data = jsonl.AppendField(data, "sum", &sum)
		data = append(jsonl.AppendField(data, "done", &done), "}\n"...)
	}
	if len(data) == 0 {
		return nil
	}
	f := j.FS
	if f == nil {
		f = jsonl.OS{}
	}
	if err := jsonl.Append(f, j.Path, data, true); err != nil {
		return fmt.Errorf("note what is erased: %w", err)
	}
	return nil
}
