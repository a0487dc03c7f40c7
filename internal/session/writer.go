package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"

	"ken/internal/jsonl"
	"ken/internal/session/outputs"
)

var (
	// errClosed says that the Writer was closed.
	errClosed = errors.New("the session is closed")
	// ErrEmpty says that there is nothing to save, or no turn to copy, yet.
	ErrEmpty = errors.New("the session has no turn yet")
	// ErrRemoved says that somebody removed the session's file. Nothing of it
	// is brought back; the next append begins a new file of that name.
	ErrRemoved = errors.New("the session file was removed")
)

// A Writer appends to one session. Its methods may be called from several
// goroutines.
//
// An append that fails loses nothing: its line waits in memory and goes before
// the next one, or at Save or Close. So an error is to be reported, and the
// conversation can go on. After an error the appends that follow try the data
// lock without waiting for it, until one succeeds: somebody who holds it for
// good costs one wait and not one per turn.
type Writer struct {
	dir     Dir
	held    *hold // nil of a Discard
	discard bool

	mu      sync.Mutex
	header  Header
	path    string
	last    int    // the largest number that was given to a turn
	made    bool   // the file exists, as far as we know
	found   bool   // it was there before, and its name may not be on the disk
	pending []byte // lines that are not in the file
	worth   bool   // a turn or a command is among them: they are worth a file
	behind  bool   // the last append failed
	dirty   bool   // lines in the file may not be on the disk
	parted  bool   // Part keeps something
	closed  bool
}

// Discard returns a Writer that keeps nothing, and has no id and no path: turns get
// their numbers, and that is all.
func Discard() *Writer { return &Writer{discard: true} }

// ID returns the session's id; "" for Discard.
func (w *Writer) ID() string { return w.Header().Session }

// Header returns the session's header.
func (w *Writer) Header() Header {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.header
}

// Path returns the path of the session's file, which is made at the first
// turn or command; "" for Discard.
func (w *Writer) Path() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.path
}

// Name returns the name of the session's file without suffix; "" for Discard.
func (w *Writer) Name() string {
	if w.discard {
		return ""
	}
	return stem(w.Path())
}

// Last returns the number of the newest turn; 0 before the first.
func (w *Writer) Last() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.last
}

// KeepOutput keeps a text for the turn that is to come, clean and masked, and from where it is, as a turn has it. It returns
// its name, or "" where the session is not kept as it goes. The text is one of several of that turn, the nth from 0, or below
// 0 the only one.
func (w *Writer) KeepOutput(nth int, text, from string) (name string, err error) {
	if !w.Keeps() || w.dir.Outputs == "" {
		return "", nil
	}
	name = outputs.Name(w.Last()+1, nth)
	return name, w.room().Keep(name, outputs.Output{Text: text, From: from})
}

// Output returns a text that is kept, from where it is, and the number of its turn; outputs.ErrNone where nothing is kept
// under that name, with the turn that it would be of.
func (w *Writer) Output(name string) (text, from string, turn int, err error) {
	o, err := w.room().Get(name)
	return o.Text, o.From, outputs.TurnOf(name), err
}

// Outputs are the names of the texts that are kept, the oldest first.
func (w *Writer) Outputs() []string { return w.room().Names() }

// room is where texts are kept.
func (w *Writer) room() outputs.Room {
	if !w.Keeps() {
		return outputs.Room{}
	}
	return w.dir.OutputsOf(w.ID())
}

// AppendTurn appends t, with the time of now if it has none, and returns the
// number that it got. A turn that cannot be a line (no role, a raw value that
// is not JSON, longer than MaxLine) is refused, and the number is 0. After any
// other error it has its number, and its line waits.
func (w *Writer) AppendTurn(t Turn) (n int, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return 0, fmt.Errorf("append turn: %w", errClosed)
	}
	t.N = w.last + 1
	t.Time = w.time(t.Time)
	if w.discard {
		w.last = t.N
		return t.N, nil
	}
	b, err := t.Line()
	if err != nil {
		return 0, fmt.Errorf("append turn %d to session %s: %w", t.N, w.header.Session, err)
	}
	w.last, w.worth = t.N, true
	w.pending = append(w.pending, b...)
	return t.N, w.flush(false)
}

// AppendEvent appends e. What comes before the first turn, EventExec or an act waits for it.
func (w *Writer) AppendEvent(e Event) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return fmt.Errorf("append event: %w", errClosed)
	}
	if w.discard {
		return nil
	}
	e.Time = w.time(e.Time)
	b, err := e.line()
	if err != nil {
		return fmt.Errorf("append event %s to session %s: %w", e.Name, w.header.Session, err)
	}
	w.pending = append(w.pending, b...)
	w.worth = w.worth || e.worth()
	return w.flush(false)
}

// Keeps reports whether what is appended goes to a file as it comes.
func (w *Writer) Keeps() bool { return !w.discard && !w.dir.Hold }

// Commit appends e, and has it on the disk with all that was appended before. An error says that it may
// not be there; its line waits as that of AppendEvent does. Where nothing is kept as it comes, that is
// no error: see Keeps.
func (w *Writer) Commit(e Event) error {
	if err := w.AppendEvent(e); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.discard || w.dir.Hold {
		return nil
	}
	return w.sync()
}

// Close writes what waits, has it on the disk, and gives the session free, once.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed || w.discard {
		w.closed = true
		return nil
	}
	w.closed, w.behind = true, false
	err := w.flush(false)
	return errors.Join(err, w.sync(), w.held.release())
}

// Unsaved lets change alter the lines that are not in the file yet.
func (w *Writer) Unsaved(change func(lines []byte) []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pending = change(w.pending)
}

// time returns t, or now if it is zero, as it stands on a line.
func (w *Writer) time(t time.Time) time.Time {
	if t.IsZero() && w.dir.Now != nil {
		t = w.dir.Now()
	}
	return stamp(t)
}

// flush writes the pending lines under the data lock, making the file if they
// are the first ones worth it. A Writer with Hold does so only to save.
func (w *Writer) flush(save bool) error {
	if len(w.pending) == 0 || !w.made && !w.worth || w.dir.Hold && !save {
		return nil
	}
	wait := w.dir.wait()
	if w.behind {
		wait = 0
	}
	err := w.dir.locked(wait, w.write)
	w.behind = err != nil
	if err != nil {
		return fmt.Errorf("write session %s: %w", w.header.Session, err)
	}
	return nil
}

// write writes the pending lines, after a header if there is nothing yet. The
// caller holds the data lock.
func (w *Writer) write() error {
	fi, err := os.Stat(w.path)
	switch gone := errors.Is(err, fs.ErrNotExist); {
	case err != nil && !gone:
		return err
	case gone && w.made:
		w.made = false
		return fmt.Errorf("%s: %w; what follows goes to a new one", w.path, ErrRemoved)
	case !gone && !w.made && fi.Size() > 0:
		return fmt.Errorf("%s: %w", w.path, fs.ErrExist)
	}
	lines := w.pending
	if gone := err != nil; gone || fi.Size() == 0 {
		head, err := w.header.Line()
		if err != nil {
			return err
		}
		lines = append(head, lines...)
	}
	if w.found && w.dir.SyncLines {
		// Whoever made the file may have been killed before its name lasted.
		if err := jsonl.Confirm(w.dir.fs(), w.path); err != nil {
			return err
		}
		w.found = false
	}
	err = jsonl.Append(w.dir.fs(), w.path, lines, w.dir.SyncLines)
	unsure := (*jsonl.SyncError)(nil)
	if err == nil || errors.As(err, &unsure) && unsure.Present {
		w.worth, w.pending, w.dirty = false, nil, err != nil || !w.dir.SyncLines
		if derr := w.dropPart(); err == nil {
			err = derr
		}
	}
	_, serr := os.Stat(w.path) // an append that failed may have made it
	w.made = serr == nil
	return err
}

// sync has the file and its name on the disk.
func (w *Writer) sync() error {
	if !w.dirty {
		return nil
	}
	// Whoever removed it wants nothing of it kept: that is no error.
	if err := jsonl.Confirm(w.dir.fs(), w.path); err != nil {
		return fmt.Errorf("sync session %s: %w", w.header.Session, err)
	}
	w.dirty = false
	return nil
}
