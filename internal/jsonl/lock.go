package jsonl

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"ken/internal/regular"
)

// LockName is the name of the file that stands for the lock of its directory.
const LockName = ".lock"

// ErrBusy says that the lock was held by somebody else for longer than the
// caller would wait.
var ErrBusy = errors.New("another process holds the lock")

// A Lock is the right to append to and to rewrite the files of one directory.
type Lock struct{ f *flock.Flock }

// LockDir takes the lock of dir and waits for it up to wait, or until ctx is
// done. The error after waiting in vain, whichever was up first, names dir and is ErrBusy. dir is made
// if it is missing. If anything but a regular file has the name of the lock, the
// error is regular.ErrNotFile.
//
// The lock excludes other processes and other goroutines alike. A caller that
// holds it and asks again waits for itself. It orders what happens to files and not to
// variables, which need a mutex of their own. It ends with the process, so
// a crash leaves nothing behind. Its file is never removed or replaced.
func LockDir(ctx context.Context, dir string, wait time.Duration) (*Lock, error) {
	path := filepath.Join(dir, LockName)
	limit := time.NewTimer(wait)
	defer limit.Stop()
	l := &Lock{flock.New(path, flock.SetPermissions(0o600), flock.SetFlag(os.O_CREATE|os.O_RDONLY|regular.NoWait))}
	made := false
	for pause := 50 * time.Microsecond; ; pause = min(2*pause, 2*time.Millisecond) {
		ok, err := l.f.TryLock()
		if errors.Is(err, os.ErrNotExist) && !made {
			made = true
			err = MakeDir(OS{}, dir)
			if err == nil {
				continue
			}
		}
		if ok {
			err = l.plain(path)
		}
		if ok && err == nil && l.named(path) {
			return l, nil
		}
		if ok && err == nil {
			// Somebody removed the file while it was being locked, and a lock on
			// a file without a name excludes nobody.
			err = l.f.Unlock()
		}
		if err != nil {
			return nil, fmt.Errorf("lock %s: %w", dir, orNotFile(path, err))
		}
		select {
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return nil, fmt.Errorf("lock %s: %w (%w)", dir, ErrBusy, ctx.Err())
			}
			return nil, fmt.Errorf("lock %s: %w", dir, ctx.Err())
		case <-limit.C:
			return nil, fmt.Errorf("lock %s: waited %v: %w", dir, wait, ErrBusy)
		case <-time.After(pause):
		}
	}
}

// plain returns regular.ErrNotFile, and gives the lock back, if what was locked
// is no file: everybody may hold a device, whatever its name.
func (l *Lock) plain(path string) error {
	fi, err := l.f.Stat()
	if err == nil {
		err = regular.Check(path, fi)
	}
	if err != nil {
		return errors.Join(err, l.f.Unlock())
	}
	return nil
}

// orNotFile is regular.ErrNotFile if that is why path could not be locked, else
// err.
func orNotFile(path string, err error) error {
	if _, why := regular.Stat(path); why != nil && errors.Is(why, regular.ErrNotFile) {
		return why
	}
	return err
}

// named reports whether the locked file is the one that path names. A file made
// under a strict umask is opened up for its owner on the way.
func (l *Lock) named(path string) bool {
	held, err := l.f.Stat()
	if err != nil {
		return false
	}
	now, err := os.Stat(path)
	if err != nil || !os.SameFile(held, now) {
		return false
	}
	return now.Mode().Perm()&0o600 == 0o600 || os.Chmod(path, 0o600) == nil
}

// Unlock gives the lock back.
func (l *Lock) Unlock() error {
	if err := l.f.Unlock(); err != nil {
		return fmt.Errorf("unlock %s: %w", filepath.Dir(l.f.Path()), err)
	}
	return nil
}
