package foreign

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"ken/internal/jsonl"
	"ken/internal/session"
)

// An Addition is what an import appended to the file of one session.
type Addition struct {
	path          string
	before, after int64 // its size in bytes
}

func (a Addition) isEmpty() bool { return a.after == a.before }

// TakeBack takes out of the sessions of dir what imports appended, the newest first, unless somebody has added to the file since;
// left counts the files that stay as they are for that. A file that an import began is removed.
func TakeBack(ctx context.Context, dir session.Dir, list []Addition) (left int, err error) {
	for _, a := range slices.Backward(list) {
		taken, err := takeBack(ctx, dir, a, true)
		if err != nil {
			return left, fmt.Errorf("take back an import: %w", err)
		}
		if !taken {
			left++
		}
	}
	return left, nil
}

func diskOf(dir session.Dir) jsonl.FS {
	if dir.FS == nil {
		return jsonl.OS{}
	}
	return dir.FS
}

// sizeOf is the size of the file at path, 0 if there is none.
func sizeOf(path string) (int64, error) {
	fi, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return fi.Size(), nil
}

// syncAll makes durable what was appended to files, and their names. Many files at
// once take the disk hardly longer than one. What was appended to a file that
// could not be synced is taken back: the kernel forgets what it could not write,
// and the next import would find it there and take it for kept.
func syncAll(ctx context.Context, dir session.Dir, files []Addition) error {
	const together = 16
	var (
		wg   sync.WaitGroup
		mu   sync.Mutex
		errs []error
		turn = make(chan struct{}, together)
		dirs = make(map[string]bool)
	)
	for _, w := range files {
		dirs[filepath.Dir(w.path)] = true
		turn <- struct{}{}
		wg.Go(func() {
			if err := syncOne(diskOf(dir), w.path, os.O_RDWR); err != nil {
				mu.Lock()
				_, back := takeBack(ctx, dir, w, false)
				errs = append(errs, err, back)
				mu.Unlock()
			}
			<-turn
		})
	}
	wg.Wait()
	for path := range dirs {
		if runtime.GOOS != "windows" { // which cannot, and writes names in order
			errs = append(errs, syncOne(diskOf(dir), path, os.O_RDONLY))
		}
	}
	return errors.Join(errs...)
}

// takeBack cuts off what was appended to a file, unless somebody has added to it. whole says that a file in which nothing else
// was is removed.
func takeBack(ctx context.Context, dir session.Dir, w Addition, whole bool) (taken bool, err error) {
	if w.isEmpty() {
		return true, nil
	}
	lock, err := jsonl.LockDir(ctx, dir.Lock, lockWait)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	now, err := sizeOf(w.path)
	switch {
	case err != nil || now != w.after:
		return false, err
	case whole && w.before == 0:
		err = errors.Join(diskOf(dir).Remove(w.path), jsonl.SyncDir(diskOf(dir), filepath.Dir(w.path)))
	default:
		err = diskOf(dir).Truncate(w.path, w.before)
	}
	return err == nil, err
}

func syncOne(disk jsonl.FS, path string, flag int) error {
	f, err := disk.OpenFile(path, flag, 0)
	if err == nil {
		err = errors.Join(f.Sync(), f.Close())
	}
	if err != nil {
		return fmt.Errorf("sync %s: %w", path, err)
	}
	return nil
}
