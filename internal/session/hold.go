package session

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"ken/internal/jsonl"
	"ken/internal/text"
)

// ErrHeld says that another writer has the session open.
var ErrHeld = errors.New("the session is open in another process")

// A hold is the lock that a Writer has on its session for its life.
type hold struct{ lock *flock.Flock }

// holdSession takes <dir>/<id>.lock without waiting; if another writer has it
// the error is ErrHeld. The file is removed when the lock is given back,
// so it may vanish between opening and locking: a lock on a file that is no
// longer the one of that name excludes nobody, and is taken anew.
func holdSession(dir, id string) (*hold, error) {
	if err := jsonl.MakeDir(jsonl.OS{}, dir); err != nil {
		return nil, fmt.Errorf("lock session %s: %w", id, err)
	}
	path := filepath.Join(dir, lockName(id))
	for {
		lock := flock.New(path, flock.SetPermissions(0o600))
		ok, err := lock.TryLock()
		if err != nil {
			return nil, fmt.Errorf("lock session %s: %w", id, err)
		}
		if !ok {
			return nil, fmt.Errorf("session %s: %w", id, ErrHeld)
		}
		if named(lock) {
			return &hold{lock}, nil
		}
		if err := lock.Close(); err != nil {
			return nil, fmt.Errorf("lock session %s: %w", id, err)
		}
	}
}

// named reports whether the file that is locked is still the one of its name.
func named(lock *flock.Flock) bool {
	ours, err := lock.Stat()
	if err != nil {
		return false
	}
	now, err := os.Stat(lock.Path())
	return err == nil && os.SameFile(ours, now)
}

// release gives the session free.
func (h *hold) release() error {
	// Removed while it is held, so that nobody can have locked it since. A
	// file that cannot be removed only stays.
	_ = os.Remove(h.lock.Path())
	return h.lock.Close()
}

// lockName is the name of the lock file of a session. An id that ken made
// stands as it is; others (a file named by hand, an imported session) may hold
// anything.
func lockName(id string) string { return text.CutBytes(url.QueryEscape(id), maxName) + ".lock" }
