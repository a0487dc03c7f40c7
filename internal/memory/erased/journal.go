package erased

import (
	"context"
	"errors"
	"fmt"
	"io"
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
	// Keyed says that both are sealed, as they stand in the journal.
	Keyed bool
}

// Marks are what a journal says.
type Marks struct {
	done  map[memory.ID][]Mark
	begun []Mark
	seal  *memory.Seal
	plain bool // a mark is not sealed
}

// Has reports whether the line was erased. Where the key is lost under which the
// journal was written, its number alone says so: better too much is hidden.
func (m Marks) Has(id memory.ID, sum memory.Sum) bool {
	if slices.Contains(m.done[id], Mark{ID: id, Sum: sum}) {
		return true
	}
	mark := m.Sealed(Mark{ID: id, Sum: sum})
	return slices.ContainsFunc(m.done[mark.ID], func(d Mark) bool { return d.Keyed && (m.seal == nil || d == mark) })
}

// Sealed is the mark as it stands in the journal.
func (m Marks) Sealed(mark Mark) Mark { return sealed(m.seal, mark) }

func sealed(seal *memory.Seal, m Mark) Mark {
	if seal == nil || m.Keyed {
		return m
	}
	return Mark{ID: seal.ID(m.ID), Sum: seal.Sum(m.Sum), Keyed: true}
}

// has reports whether the mark is done, as it is or sealed.
func (m Marks) has(mark Mark) bool {
	return slices.Contains(m.done[mark.ID], mark) || !mark.Keyed && m.Has(mark.ID, mark.Sum)
}

// Len is the number of lines that were erased, those of one number counted once.
func (m Marks) Len() int { return len(m.done) }

// Begun are the lines whose erasing was begun and not finished, oldest first.
func (m Marks) Begun() []Mark { return m.begun }

// A Journal is the file of marks. Its methods may be called by several processes.
type Journal struct {
	Path string
	Now  func() time.Time // required to write
	FS   jsonl.FS         // nil: the machine's
	// Seal gives the seal of sums; to write, one under a key that is kept. nil: sums
	// are written as they are, which tests do.
	Seal func() (*memory.Seal, error)

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
	m := Marks{done: make(map[memory.ID][]Mark)}
	f, err := regular.Open(j.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return m, fmt.Errorf("read the list of what was erased: %w", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	begun, keyed := make(map[Mark]bool), false
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
			if !slices.Contains(m.done[mark.ID], mark) {
				m.done[mark.ID] = append(m.done[mark.ID], mark)
			}
		}
		keyed = keyed || ok && mark.Keyed
		m.plain = m.plain || ok && !mark.Keyed
	}
	if keyed && j.Seal != nil {
		m.seal, _ = j.Seal() // without a key Has is careful
	}
	m.begun = slices.DeleteFunc(m.begun, m.has)
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
		case "keyed":
			m.Keyed, _ = f.Value.Bool()
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
	var seal *memory.Seal
	if j.Seal != nil {
		if seal, err = j.Seal(); err != nil {
			return fmt.Errorf("note what is erased: %w", err)
		}
	}
	begun := make(map[Mark]bool, len(have.begun))
	for _, m := range have.begun {
		begun[sealed(seal, m)] = true
	}
	written := make(map[Mark]bool)
	var data []byte
	now := j.Now().UTC().Truncate(time.Second)
	for _, plain := range marks {
		m := sealed(seal, plain)
		if have.has(plain) || have.has(m) || written[m] || !done && begun[m] {
			continue
		}
		data, written[m] = appendMark(data, now, m, done), true
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

// appendMark appends the line of a mark.
func appendMark(data []byte, at time.Time, m Mark, done bool) []byte {
	ref, sum := m.ID.String(), m.Sum.String()
	data = jsonl.AppendField(append(data, '{'), "ts", &at)
	data = jsonl.AppendField(data, "ref", &ref)
	data = jsonl.AppendField(data, "sum", &sum)
	data = jsonl.AppendField(data, "done", &done)
	data = jsonl.AppendField(data, "keyed", &m.Keyed)
	return append(data, "}\n"...)
}

// Rehash seals what an older version wrote without a key. Lines that are no marks keep
// their bytes. It reports whether anything was to be sealed.
func (j *Journal) Rehash(ctx context.Context) (changed bool, err error) {
	if j.Seal == nil {
		return false, nil
	}
	if m, err := j.Read(); err != nil || !m.plain {
		return false, err
	}
	seal, err := j.Seal()
	if err != nil {
		return false, fmt.Errorf("seal the list of what was erased: %w", err)
	}
	lock, err := jsonl.LockDir(ctx, filepath.Dir(j.Path), lockWait)
	if err != nil {
		return false, fmt.Errorf("seal the list of what was erased: %w", err)
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	f, err := regular.Open(j.Path)
	if err != nil {
		return false, fmt.Errorf("seal the list of what was erased: %w", err)
	}
	defer f.Close()
	stat, err := f.Stat()
	if err != nil {
		return false, fmt.Errorf("seal the list of what was erased: %w", err)
	}
	sys := j.FS
	if sys == nil {
		sys = jsonl.OS{}
	}
	return true, jsonl.Rewrite(sys, j.Path, stat, func(w io.Writer) error {
		for line, err := range jsonl.Lines(f, maxLine) {
			if err != nil {
				return err
			}
			out := append(slices.Clone(line.Bytes), '\n')
			if m, done, ok := parse(line.Bytes); ok && !m.Keyed {
				out = appendMark(nil, timeOf(line.Bytes), sealed(seal, m), done)
			}
			if _, err := w.Write(out); err != nil {
				return err
			}
		}
		return nil
	})
}

// timeOf is the time of a line; the zero one if it has none.
func timeOf(line []byte) time.Time {
	fields, _, _ := jsonl.Fields(line, nil)
	for _, f := range fields {
		if string(f.Name) == "ts" {
			at, _ := f.Value.Time()
			return at
		}
	}
	return time.Time{}
}
