package draft

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"ken/internal/jsonl"
	"ken/internal/regular"
)

// How long a text stays after it was last changed.
const (
	// Abandoned is for one whose ken was killed.
	Abandoned = 24 * time.Hour
	// Kept is for one that was kept for the person.
	Kept = 7 * 24 * time.Hour
)

// MaxText is the longest text that is read back from an editor, in bytes.
const MaxText = 16 << 20

// A Dir is the directory of drafts of one home.
type Dir struct {
	Path string
	// Now is the clock that files have their times from; nil: no draft is ever too old.
	Now func() time.Time
}

// A Draft is a text in a file that its person may change. It is not safe for concurrent
// use.
type Draft struct {
	dir, path string
	lock      *jsonl.Lock
}

// New writes a text to a file called name, in a directory of its own, and takes away
// what is too old beside it.
func (d Dir) New(ctx context.Context, name string, text []byte) (_ *Draft, err error) {
	d.Sweep(ctx)
	var b [8]byte
	_, _ = rand.Read(b[:]) // it never fails
	made := &Draft{dir: filepath.Join(d.Path, hex.EncodeToString(b[:]))}
	made.path = filepath.Join(made.dir, name)
	if made.lock, err = jsonl.LockDir(ctx, made.dir, time.Second); err != nil {
		return nil, fmt.Errorf("write a draft: %w", err)
	}
	f, err := os.OpenFile(made.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		_, err = f.Write(text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("write a draft: %w", err), made.Done())
	}
	return made, nil
}

// Path is the file that the text is in.
func (d *Draft) Path() string { return d.path }

// Text is what the file says now. One of more than MaxText is regular.ErrTooLong.
func (d *Draft) Text() ([]byte, error) { return regular.Read(d.path, MaxText) }

// Done takes the file away, with all that stands beside it.
func (d *Draft) Done() error {
	if d.lock == nil {
		return nil
	}
	err := errors.Join(os.RemoveAll(d.dir), d.lock.Unlock())
	d.lock = nil
	if err != nil {
		return fmt.Errorf("take a draft away: %w", err)
	}
	return nil
}

// Keep leaves the file to the person for a while, and returns its path. Done does nothing
// then.
func (d *Draft) Keep() (path string, err error) {
	err = errors.Join(os.Remove(filepath.Join(d.dir, jsonl.LockName)), d.lock.Unlock())
	d.lock = nil
	return d.path, err
}

// Sweep takes away the drafts that nobody will come back for. What it cannot take away
// stays: a later one may.
func (d Dir) Sweep(ctx context.Context) {
	if d.Now == nil {
		return
	}
	all, err := os.ReadDir(d.Path)
	if err != nil {
		return
	}
	now := d.Now()
	for _, e := range all {
		if b, err := hex.DecodeString(e.Name()); err != nil || len(b) != 8 || !e.IsDir() {
			continue
		}
		if ctx.Err() != nil {
			return
		}
		sweep(ctx, filepath.Join(d.Path, e.Name()), now)
	}
}

// sweep takes one draft away if it is too old, and its ken is gone.
func sweep(ctx context.Context, dir string, now time.Time) {
	last, locked, err := changed(dir)
	if err != nil || now.Sub(last) < Abandoned || !locked && now.Sub(last) < Kept {
		return
	}
	if locked {
		lock, err := jsonl.LockDir(ctx, dir, 0)
		if err != nil {
			return // its ken is there
		}
		defer func() { _ = lock.Unlock() }() // its file is gone
	}
	_ = os.RemoveAll(dir)
}

// changed returns when something in dir was changed last, and whether it has a lock.
func changed(dir string) (last time.Time, locked bool, err error) {
	all, err := os.ReadDir(dir)
	if err != nil {
		return last, false, err
	}
	for _, e := range all {
		at, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return last, false, err
		}
		if at.ModTime().After(last) {
			last = at.ModTime()
		}
		locked = locked || e.Name() == jsonl.LockName
	}
	if len(all) == 0 { // it is being made, or was being taken away
		at, err := os.Stat(dir)
		if err != nil {
			return last, false, err
		}
		last = at.ModTime()
	}
	return last, locked, nil
}
