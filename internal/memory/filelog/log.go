package filelog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"ken/internal/jsonl"
	"ken/internal/memory"
)

// DefaultWait is how long an append waits for the lock unless Options says
// otherwise.
const DefaultWait = 5 * time.Second

// Options says how a log is to be used. A log that is only read needs none.
type Options struct {
	// DeviceFile is the path of device.json, which says the name of this
	// device's log. It is made at the first append. Empty: the log is taken
	// for ours whatever its name is.
	DeviceFile string
	// Head is the path of the derived head file; empty: none is kept, and each
	// cold append reads the whole log.
	Head string
	// Sketches appends the sketches of a line, as it is read, to a list: numbers that are to be kept
	// beside Head for Lines. It is given the zero Record for what is no record, which has none.
	// Another function needs another Head. nil: none are kept.
	Sketches func(r *memory.Record, to []uint64) []uint64
	// Host is the name of the machine, of which the name of a new log is made.
	Host string
	// Now is the clock, for the times on the lines that the log itself writes.
	Now func() time.Time
	// Rand makes the names of new logs different: crypto/rand.Reader.
	Rand io.Reader
	// Seal gives the seal of the names of lines that Erase takes away and that have no
	// number; nil: they keep their name, which is a hash of them.
	Seal func() (*memory.Seal, error)
	// FS does the writing; nil stands for jsonl.OS.
	FS jsonl.FS
	// Wait is how long to wait for the lock; 0 stands for DefaultWait.
	Wait time.Duration
	// ReadOnly has Append and Erase refuse, and leaves the directory alone.
	ReadOnly bool
	// Replica says that the log is another device's: Append refuses, and Erase
	// takes text away without adding a line.
	Replica bool
}

// A Log is a memory.Log and a memory.Tipper in a file. It is safe for
// concurrent use, also by several Logs of the same file in several processes.
type Log struct {
	path string
	o    Options

	mu      sync.Mutex
	known   head   // what the last read to the end, or the last append, found
	adopted string // see Adopted
	drawn   *drawn // by Texts, for the next append
	seen    seen
}

var (
	_ memory.Log    = (*Log)(nil)
	_ memory.Tipper = (*Log)(nil)
)

// Open returns the log in the file at path, which need not exist: a missing
// file is an empty log, made by the first append. Open itself does nothing.
func Open(path string, o Options) *Log {
	if o.FS == nil {
		o.FS = jsonl.OS{}
	}
	if o.Wait == 0 {
		o.Wait = DefaultWait
	}
	return &Log{path: path, o: o}
}

// Path returns the path that the log was opened with.
func (l *Log) Path() string { return l.path }

// Adopted returns the name of the log if an append of this Log found it on a
// machine that it was made on but that had forgotten its name, and went on with
// it; else "". The person should see it.
func (l *Log) Adopted() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.adopted
}

// ErrReadOnly says that the log was opened for reading.
var ErrReadOnly = errors.New("the log is opened for reading only")

// lock takes the lock of the log's directory for what is to be done, and
// returns what gives it back.
func (l *Log) lock(ctx context.Context, what string) (unlock func(), err error) {
	if l.o.ReadOnly {
		return nil, fmt.Errorf("%s %s: %w", what, l.path, ErrReadOnly)
	}
	dir := filepath.Dir(l.path)
	held, err := jsonl.LockDir(ctx, dir, l.o.Wait)
	if errors.Is(err, jsonl.ErrBusy) {
		return nil, fmt.Errorf("%s %s: waited %v: %w (%s)", what, l.path, l.o.Wait, memory.ErrBusy, filepath.Join(dir, jsonl.LockName))
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", what, l.path, err)
	}
	// What was done under the lock is done, whether or not giving it back
	// succeeds; the end of the process gives it back at the latest.
	return func() { _ = held.Unlock() }, nil
}

// know keeps k for the next read.
func (l *Log) know(k head) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.known = k
}

func (l *Log) knownHead() head {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.known
}

// cursor gives the cursor of a position: the zero Cursor for the start.
func cursor(m jsonl.Mark) memory.Cursor {
	if m == (jsonl.Mark{}) {
		return ""
	}
	return memory.Cursor(m.String())
}

// Guess returns about how many lines the log has, if the rest of them are as long as those
// before at; 0 if it cannot tell.
func (l *Log) Guess(at memory.Cursor) int {
	m, err := mark(at)
	fi, statErr := os.Stat(l.path)
	if err != nil || statErr != nil || m.Offset <= 0 {
		return 0
	}
	return int(float64(m.Lines) * float64(fi.Size()) / float64(m.Offset))
}

// mark gives the position of a cursor. A cursor that this package did not make
// is in no log of its.
func mark(c memory.Cursor) (jsonl.Mark, error) {
	if c == "" {
		return jsonl.Mark{}, nil
	}
	m, err := jsonl.ParseMark(string(c))
	if err != nil {
		return m, fmt.Errorf("%w: %w", memory.ErrStale, err)
	}
	return m, nil
}
