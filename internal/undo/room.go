package undo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"ken/internal/jsonl"
	"ken/internal/regular"
	"ken/internal/tool/swap"
)

const (
	// Kept is how long bytes stay.
	Kept = 30 * 24 * time.Hour
	// MostBytes is how many there may be, all files together.
	MostBytes = 200 << 20
	// lockWait is how long to wait for another ken.
	lockWait = 5 * time.Second
)

// ErrGone says that bytes are not in the room: too old, or erased.
var ErrGone = errors.New("what the file held is not kept any more")

// A Room is the directory in which files are kept as they were, each under swap.Sum of its bytes.
type Room struct {
	Path string // config.UndoIn
	Lock string // the directory whose lock is held while files come and go
	Now  func() time.Time
}

// Keep has bytes in the room and returns their name. What is there already is as new again. Nothing goes: see Tidy.
func (r Room) Keep(ctx context.Context, b []byte) (sum string, err error) {
	sum = swap.Sum(b)
	err = r.locked(ctx, func() error {
		path := filepath.Join(r.Path, sum)
		now := r.Now()
		if held, err := regular.Read(path, swap.Largest); err == nil && swap.Sum(held) == sum {
			return os.Chtimes(path, now, now)
		}
		if err := os.MkdirAll(r.Path, 0o700); err != nil {
			return err
		}
		err := jsonl.Create(jsonl.OS{}, path, b)
		if errors.Is(err, jsonl.ErrChanged) { // a damaged one is there
			if err = os.Remove(path); err == nil {
				err = jsonl.Create(jsonl.OS{}, path, b)
			}
		}
		if err != nil {
			return err
		}
		return os.Chtimes(path, now, now)
	})
	if err != nil {
		return "", fmt.Errorf("keep a file for undo: %w", err)
	}
	return sum, nil
}

// Get returns the bytes called sum, or ErrGone.
func (r Room) Get(sum string) ([]byte, error) {
	if len(sum) != 64 || filepath.Base(sum) != sum {
		return nil, ErrGone
	}
	b, err := regular.Read(filepath.Join(r.Path, sum), swap.Largest)
	if errors.Is(err, fs.ErrNotExist) || err == nil && swap.Sum(b) != sum {
		return nil, ErrGone
	}
	return b, err
}

// Tidy removes what is too old, and the oldest of what is too much. It looks at every file of the room. Who
// changes files for a run does it once, when the run's first bytes are kept: so nothing goes that the run needs.
func (r Room) Tidy(ctx context.Context) error { return r.sweep(ctx, MostBytes) }

// Expire removes what is too old.
func (r Room) Expire(ctx context.Context) error { return r.sweep(ctx, math.MaxInt64) }

func (r Room) sweep(ctx context.Context, most int64) error {
	if _, err := os.Lstat(r.Path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := r.locked(ctx, func() error { return r.remove(most) }); err != nil {
		return fmt.Errorf("tidy what is kept for undo: %w", err)
	}
	return nil
}

// remove removes what is too old, or the oldest beyond most bytes.
func (r Room) remove(most int64) error {
	entries, err := os.ReadDir(r.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var files []fs.FileInfo
	total := int64(0)
	for _, e := range entries {
		if fi, err := e.Info(); err == nil && fi.Mode().IsRegular() {
			files, total = append(files, fi), total+fi.Size()
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int {
		return cmp.Or(a.ModTime().Compare(b.ModTime()), cmp.Compare(a.Name(), b.Name()))
	})
	for _, fi := range files {
		if total <= most && r.Now().Sub(fi.ModTime()) <= Kept {
			continue
		}
		if err := os.Remove(filepath.Join(r.Path, fi.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		total -= fi.Size()
	}
	return nil
}

// Alone does what changes a file while no other ken changes one, so that what is looked at is what is replaced.
func (r Room) Alone(ctx context.Context, do func() error) error { return r.locked(ctx, do) }

func (r Room) locked(ctx context.Context, do func() error) error {
	lock, err := jsonl.LockDir(ctx, r.Lock, lockWait)
	if err != nil {
		return err
	}
	return errors.Join(do(), lock.Unlock())
}

func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
