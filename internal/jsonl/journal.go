package jsonl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path/filepath"
	"time"
)

// A Journal is a file of records of one kind, one JSON object a line, oldest first: the queue of
// suggestions, approvals, use. The package that owns one defines what its records mean. Journal
// reads the file, appends to it and keeps it whole. A missing file is an empty one. Several
// processes may use one file.
//
// A line that cannot be read costs that line alone. Fields and lines that Parse does not know stay
// as they are: no line is written again because another one is.
type Journal[T any] struct {
	Path string
	Name string        // for errors: "the review queue"
	Dir  string        // whose lock is held for every write; "": that of Path
	Wait time.Duration // for that lock; 0: 5 s
	Max  int           // the longest line, in bytes without its end; 0: 1 MiB
	Lazy bool          // a write does not wait for the disk
	FS   FS            // nil: the machine's
	// Accept returns an error if a file with these properties does not count. A nil Accept accepts
	// every file.
	Accept func(fs.FileInfo) error
	// Parse reads a line that is not blank. The record has what it returns, also beside an error.
	// line is valid until it returns.
	Parse func(line []byte) (T, error)
	// Encode appends a record as an object without a line end; it is needed to write.
	Encode func(dst []byte, record T) []byte
}

// A Record is what a line of a Journal says, or why it says nothing.
type Record[T any] struct {
	Line  int // its number, from 1
	Value T
	Err   error // why the line cannot be read; nil: it can
	Torn  bool  // the line has no end: an append may have been cut off in it
}

// A Problem is a line that counts for nothing.
type Problem struct {
	Path string // of the file; "" where that is known
	Line int    // its number, from 1
	Err  error
	Torn bool // it has no end: an append may have been cut off in it
}

func (p Problem) Error() string {
	if p.Path != "" {
		return fmt.Sprintf("%s: line %d: %v", p.Path, p.Line, p.Err)
	}
	return fmt.Sprintf("line %d: %v", p.Line, p.Err)
}

// Unwrap returns the cause without the number.
func (p Problem) Unwrap() error { return p.Err }

// Problem says that r cannot be read.
func (r Record[T]) Problem() Problem { return Problem{Line: r.Line, Err: r.Err, Torn: r.Torn} }

// maxTries is how often an append begins again because the file was edited between
// being read and being written to: an editor takes no lock.
const maxTries = 8

// Records yields what the lines say, blank ones left out, in bounded memory. An error
// is that of the file, and the last.
func (j *Journal[T]) Records() iter.Seq2[Record[T], error] {
	return func(yield func(Record[T], error) bool) { _ = j.each(yield) }
}

// Read returns all records, also those that cannot be read.
func (j *Journal[T]) Read() ([]Record[T], error) {
	list, _, err := j.read()
	return list, err
}

func (j *Journal[T]) read() (list []Record[T], stat fs.FileInfo, err error) {
	stat = j.each(func(r Record[T], rerr error) bool {
		if err = rerr; err == nil {
			list = append(list, r)
		}
		return true
	})
	return list, stat, err
}

// each is Records. It returns what was known of the file when it was opened; nil if
// there was none.
func (j *Journal[T]) each(yield func(Record[T], error) bool) fs.FileInfo {
	fail := func(err error) { yield(Record[T]{}, fmt.Errorf("read %s %s: %w", j.Name, j.Path, err)) }
	f, stat, err := openStat(j.Path)
	if err == nil && f == nil {
		return nil
	}
	if err == nil {
		defer func() { _ = f.Close() }() // it was only read
		if j.Accept != nil {
			err = j.Accept(stat)
		}
	}
	if err != nil {
		fail(err)
		return nil
	}
	for line, err := range Lines(f, j.max()) {
		if err != nil {
			fail(err)
			return nil
		}
		if line.Bytes != nil && len(bytes.TrimSpace(line.Bytes)) == 0 {
			continue
		}
		if !yield(j.Record(line), nil) {
			break
		}
	}
	return stat
}

// Record returns what a line says.
func (j *Journal[T]) Record(line Line) Record[T] {
	r := Record[T]{Line: line.Number, Torn: !line.Ended}
	if line.Len > int64(j.max()) {
		r.Err = fmt.Errorf("longer than %d bytes", j.max())
	} else {
		r.Value, r.Err = j.Parse(line.Bytes)
	}
	return r
}

// Add appends records, all or none, whatever the file says.
func (j *Journal[T]) Add(ctx context.Context, records ...T) error {
	data, err := j.lines(records)
	if err != nil || len(data) == 0 {
		return err
	}
	return j.locked(ctx, func() error { return Append(orOS(j.FS), j.Path, data, !j.Lazy) })
}

// Append appends the records that plan makes of those that are there, all or none,
// while nobody else can append. plan may be called again when an editor got in
// between. Where it adds nothing, what it found is on the disk afterwards: another
// process may have died before it was. The error of plan is returned as it is.
func (j *Journal[T]) Append(ctx context.Context, plan func([]Record[T]) ([]T, error)) error {
	var refused error
	err := j.locked(ctx, func() (err error) {
		for range maxTries {
			if err, refused = j.append(plan); !errors.Is(err, ErrChanged) || refused != nil {
				break
			}
		}
		return err
	})
	if refused != nil {
		return refused
	}
	return err
}

func (j *Journal[T]) append(plan func([]Record[T]) ([]T, error)) (err, refused error) {
	list, stat, err := j.read()
	if err != nil {
		return nil, err // it says what it is about
	}
	records, err := plan(list)
	if err != nil {
		return nil, err
	}
	data, err := j.lines(records)
	if err != nil {
		return nil, err
	}
	if len(data) == 0 {
		return Confirm(orOS(j.FS), j.Path), nil
	}
	_, err = AppendAfter(orOS(j.FS), j.Path, stat, data)
	return err, nil
}

// lines are the lines of records, with their ends.
func (j *Journal[T]) lines(records []T) (data []byte, err error) {
	for _, r := range records {
		from := len(data)
		if data = j.Encode(data, r); len(data)-from > j.max() {
			return nil, fmt.Errorf("append to %s: the line would have more than %d bytes", j.Name, j.max())
		}
		data = append(data, '\n')
	}
	return data, nil
}

func (j *Journal[T]) locked(ctx context.Context, do func() error) error {
	lock, err := LockDir(ctx, j.dir(), j.wait())
	if err == nil {
		err = errors.Join(do(), lock.Unlock())
	}
	if err != nil {
		return fmt.Errorf("append to %s: %w", j.Name, err)
	}
	return nil
}

// Edit returns how lines of the journal are changed where they stand.
func (j *Journal[T]) Edit() Edit {
	return Edit{Path: j.Path, Lock: j.dir(), Wait: j.wait(), FS: j.FS, Max: j.max()}
}

func (j *Journal[T]) max() int {
	if j.Max == 0 {
		return 1 << 20
	}
	return j.Max
}

func (j *Journal[T]) dir() string {
	if j.Dir == "" {
		return filepath.Dir(j.Path)
	}
	return j.Dir
}

func (j *Journal[T]) wait() time.Duration {
	if j.Wait == 0 {
		return 5 * time.Second
	}
	return j.Wait
}

func orOS(f FS) FS {
	if f == nil {
		return OS{}
	}
	return f
}
