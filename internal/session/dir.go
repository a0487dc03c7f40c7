package session

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"ken/internal/jsonl"
	"ken/internal/regular"
	"ken/internal/session/outputs"
)

// A Dir is a directory of session files, and what is needed to write them. It
// is only looked at when it is used: no directory is made before a session has
// its first turn or command, but Run.
type Dir struct {
	Path string // where the session files are: <data>/sessions
	Lock string // the directory whose lock every append takes: <data>
	Run  string // where writers lock their sessions
	// Outputs is where what tools printed is kept, by session; "": nowhere.
	Outputs string

	// Now returns the time. It must be set for whoever writes.
	Now func() time.Time
	// Rand gives the random part of session ids; nil means crypto/rand.
	Rand io.Reader
	// FS does the calls that change files; nil means jsonl.OS.
	FS jsonl.FS
	// Wait is how long an append waits for the lock; 0 means 5 s, as long as a
	// person who watches would.
	Wait time.Duration
	// SyncLines has every line on the disk before its append returns
	// (session.fsync = "line"). Otherwise that happens at Close and Save.
	SyncLines bool
	// Hold keeps all lines in memory until Save is called (session.autosave =
	// false). What was not saved by then is gone at Close.
	Hold bool
}

func (d Dir) wait() time.Duration { return cmp.Or(d.Wait, 5*time.Second) }

func (d Dir) fs() jsonl.FS {
	if d.FS == nil {
		return jsonl.OS{}
	}
	return d.FS
}

// Imports returns the directory of imported transcripts below d.
func (d Dir) Imports() Dir {
	d.Path = filepath.Join(d.Path, "import")
	return d
}

// locked runs do under the data lock. No context can end the wait: what a
// person cancels is to be recorded all the same.
func (d Dir) locked(wait time.Duration, do func() error) error {
	return d.lockedBy(context.Background(), wait, do)
}

// lockedBy is locked of who waits no longer than ctx lasts.
func (d Dir) lockedBy(ctx context.Context, wait time.Duration, do func() error) error {
	lock, err := jsonl.LockDir(ctx, d.Lock, wait)
	if err != nil {
		return err
	}
	return errors.Join(do(), lock.Unlock())
}

// file returns the path of the session file with the name.
func (d Dir) file(name string) string { return filepath.Join(d.Path, name+suffix) }

// Create begins a session. It sets Format and Started of h, and Session unless h
// has the id of one that was begun before and left no file. The file
// is made when the first turn or EventExec is appended, so that a session
// without leaves none; the id is taken now.
//
// An error means that the session cannot be kept (Run cannot be written). The
// conversation can go on without: use Discard.
func (d Dir) Create(h Header) (*Writer, error) {
	now := d.Now()
	id := h.Session
	var held *hold
	var err error
	if id == "" {
		id, held, err = d.reserve(now)
	} else {
		held, err = d.take(id)
	}
	if err != nil {
		return nil, fmt.Errorf("begin session: %w", err)
	}
	h.Format, h.Session, h.Started = Format, id, stamp(now)
	return &Writer{dir: d, header: h, path: d.file(id), held: held}, nil
}

// reserve finds an id that no session has, and locks it.
func (d Dir) reserve(now time.Time) (string, *hold, error) {
	random := d.Rand
	if random == nil {
		random = rand.Reader
	}
	// Two ids of one second are equal once in 65536 times.
	for range 100 {
		id, err := newID(now, random)
		if err != nil {
			return "", nil, err
		}
		held, err := d.take(id)
		if err == nil {
			return id, held, nil
		}
		if !errors.Is(err, ErrHeld) && !errors.Is(err, errTaken) {
			return "", nil, err
		}
	}
	return "", nil, errors.New("no free session id: a hundred were taken")
}

// errTaken says that a session has an id.
var errTaken = errors.New("there is such a session")

// take locks an id. Errors: ErrHeld; errTaken.
func (d Dir) take(id string) (*hold, error) {
	held, err := holdSession(d.Run, id)
	if err != nil {
		return nil, err
	}
	if _, err = os.Lstat(d.file(id)); errors.Is(err, fs.ErrNotExist) {
		return held, nil
	}
	if err == nil {
		err = errTaken
	}
	return nil, errors.Join(fmt.Errorf("session %s: %w", id, err), held.release())
}

// Open continues the session file at path, which it locks and reads. If another
// writer has it open the error is ErrHeld; Fork makes a copy then.
func (d Dir) Open(path string) (*Writer, *Transcript, error) {
	head, err := readHeader(path)
	if err != nil {
		return nil, nil, err
	}
	held, err := holdSession(d.Run, head.Session)
	if err != nil {
		return nil, nil, err
	}
	t, err := d.Load(path)
	if err != nil {
		return nil, nil, errors.Join(err, held.release())
	}
	h := t.Header
	if !t.Headed {
		h.Format, h.Started = Format, stamp(d.Now())
	}
	w := &Writer{dir: d, header: h, path: path, held: held, last: t.last, made: true, found: true}
	if d.Hold {
		return w, t, nil
	}
	took, err := w.takeOver()
	if took && err == nil {
		t, err = d.Load(path)
	}
	if err != nil {
		return nil, nil, errors.Join(err, held.release())
	}
	return w, t, nil
}

// Fork continues a copy of the session file at path, under a new id. The new
// header names the session that was copied.
func (d Dir) Fork(path string) (*Writer, *Transcript, error) { return d.Branch(path, 0) }

// Branch is Fork with what the session held right behind turn n, as if nothing had been
// said or done since; 0: all of it. It is an error if there is no such turn.
func (d Dir) Branch(path string, n int) (*Writer, *Transcript, error) {
	if _, err := regular.Stat(path); err != nil {
		return nil, nil, fmt.Errorf("fork session: %w", err)
	}
	w, err := d.copyTo("", stem(path), n, func() (*io.SectionReader, func() error, error) {
		f, err := regular.Open(path)
		if err != nil {
			return nil, nil, err
		}
		src, err := section(f)
		return src, f.Close, err
	})
	if err != nil {
		return nil, nil, fmt.Errorf("fork session %s: %w", path, err)
	}
	t, err := Load(w.path)
	if err != nil {
		return nil, nil, errors.Join(err, w.held.release())
	}
	w.last = max(w.last, t.last)
	return w, t, nil
}

// OutputsOf is where what tools printed in a session is kept.
func (d Dir) OutputsOf(id string) outputs.Room {
	if d.Outputs == "" {
		id = ""
	}
	return outputs.Room{Dir: d.Outputs, ID: id, Now: d.Now}
}

// stamp returns t as it stands on a line.
func stamp(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }
