package tombstone

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"sync"
	"time"

	"ken/internal/jsonl"
	"ken/internal/memory"
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

// Sealed returns the mark as it stands in the journal.
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

// Len returns the number of lines that were erased, those of one number counted once.
func (m Marks) Len() int { return len(m.done) }

// Begun returns the lines whose erasing was begun and not finished, oldest first.
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
	seen jsonl.Seen // the file that ReadNew read last
}

// A step is a line: that the erasing of a mark was begun, or done.
type step struct {
	Mark
	at   time.Time
	done bool
}

func (j *Journal) lines() *jsonl.Journal[step] {
	return &jsonl.Journal[step]{
		Path: j.Path, Name: "the list of what was erased", Max: 4 << 10, FS: j.FS, Parse: parse, Encode: appendStep,
	}
}

// Read returns what the file says. A missing file says nothing; lines that are no
// marks are passed over.
func (j *Journal) Read() (Marks, error) {
	steps, err := j.lines().Read()
	if err != nil {
		return Marks{}, err
	}
	return j.fold(steps), nil
}

func (j *Journal) fold(steps []jsonl.Record[step]) Marks {
	m := Marks{done: make(map[memory.ID][]Mark)}
	begun, keyed := make(map[Mark]bool), false
	for _, r := range steps {
		mark := r.Value.Mark
		switch {
		case r.Err != nil:
			continue
		case !r.Value.done:
			if !begun[mark] {
				m.begun, begun[mark] = append(m.begun, mark), true
			}
		case !slices.Contains(m.done[mark.ID], mark):
			m.done[mark.ID] = append(m.done[mark.ID], mark)
		}
		keyed, m.plain = keyed || mark.Keyed, m.plain || !mark.Keyed
	}
	if keyed && j.Seal != nil {
		m.seal, _ = j.Seal() // without a key Has is careful
	}
	m.begun = slices.DeleteFunc(m.begun, m.has)
	return m
}

// ReadNew is Read for who has asked before: it reads nothing if the file is as it
// was then.
func (j *Journal) ReadNew() (m Marks, changed bool, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	now, err := jsonl.See(j.Path)
	was := j.seen
	switch {
	case err != nil:
		return m, false, fmt.Errorf("read the list of what was erased: %w", err)
	case was.Unchanged(now):
		return m, false, nil
	case !now.Exists():
		j.seen = now
		return Marks{}, true, nil
	}
	if m, err = j.Read(); err != nil {
		return m, false, err
	}
	j.seen = now
	return m, true, nil
}

// parse reads a line.
func parse(line []byte) (s step, err error) {
	fields, _, err := jsonl.Fields(line, nil)
	if err != nil {
		return s, err
	}
	for _, f := range fields {
		switch string(f.Name) {
		case "ts":
			s.at, _ = f.Value.Time()
		case "ref":
			text, _ := f.Value.Text()
			if s.ID, err = memory.ParseID(text); err != nil {
				return s, err
			}
		case "sum":
			text, _ := f.Value.Text()
			n, err := strconv.ParseUint(text, 16, 32)
			if err != nil {
				return s, err
			}
			s.Sum = memory.Sum(n)
		case "keyed":
			s.Keyed, _ = f.Value.Bool()
		case "done":
			s.done, _ = f.Value.Bool()
		}
	}
	if s.ID.IsZero() {
		return s, errors.New("no reference")
	}
	return s, nil
}

// appendStep appends a step as a line without its end.
func appendStep(dst []byte, s step) []byte {
	ref, sum := s.ID.String(), s.Sum.String()
	dst = jsonl.AppendField(append(dst, '{'), "ts", &s.at)
	dst = jsonl.AppendField(dst, "ref", &ref)
	dst = jsonl.AppendField(dst, "sum", &sum)
	dst = jsonl.AppendField(dst, "done", &s.done)
	return append(jsonl.AppendField(dst, "keyed", &s.Keyed), '}')
}

// Begin says that the lines are about to be erased, durably. What the journal has
// already is not written again.
func (j *Journal) Begin(ctx context.Context, marks []Mark) error { return j.add(ctx, marks, false) }

// Done says that the lines were erased, durably.
func (j *Journal) Done(ctx context.Context, marks []Mark) error { return j.add(ctx, marks, true) }

func (j *Journal) add(ctx context.Context, marks []Mark, done bool) error {
	if len(marks) == 0 {
		return nil
	}
	return j.lines().Append(ctx, func(steps []jsonl.Record[step]) (list []step, err error) {
		have := j.fold(steps)
		var seal *memory.Seal
		if j.Seal != nil {
			if seal, err = j.Seal(); err != nil {
				return nil, fmt.Errorf("note what is erased: %w", err)
			}
		}
		begun := make(map[Mark]bool, len(have.begun))
		for _, m := range have.begun {
			begun[sealed(seal, m)] = true
		}
		written := make(map[Mark]bool)
		now := j.Now().UTC().Truncate(time.Second)
		for _, plain := range marks {
			m := sealed(seal, plain)
			if have.has(plain) || have.has(m) || written[m] || !done && begun[m] {
				continue
			}
			list, written[m] = append(list, step{m, now, done}), true
		}
		return list, nil
	})
}

// Rehash seals what an older version wrote without a key. Lines that are no marks keep
// their bytes, and fields of later versions stay. It reports whether anything was to be
// sealed.
func (j *Journal) Rehash(ctx context.Context) (changed bool, err error) {
	if j.Seal == nil {
		return false, nil
	}
	if m, err := j.Read(); err != nil || !m.plain {
		return false, err
	}
	fail := func(err error) (bool, error) {
		return false, fmt.Errorf("seal the list of what was erased: %w", err)
	}
	seal, err := j.Seal()
	if err != nil {
		return fail(err)
	}
	lines := j.lines()
	n, err := lines.Edit().Lines(ctx, func(line jsonl.Line, _ *io.SectionReader) ([]byte, bool, error) {
		r := lines.Record(line)
		if line.Bytes == nil || r.Err != nil || r.Value.Keyed {
			return nil, false, nil
		}
		later, err := jsonl.MapFields(line.Bytes, func(name string, v jsonl.Value) jsonl.Value {
			if slices.Contains([]string{"ts", "ref", "sum", "done", "keyed"}, name) {
				return nil
			}
			return v
		})
		if err != nil {
			return nil, false, err
		}
		now := appendStep(nil, step{sealed(seal, r.Value.Mark), r.Value.at, r.Value.done})
		if len(later) > len("{}") {
			now = append(append(now[:len(now)-1], ','), later[1:]...)
		}
		return now, true, nil
	})
	if err != nil {
		return fail(err)
	}
	return n > 0, nil
}
