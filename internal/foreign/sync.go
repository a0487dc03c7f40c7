package foreign

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"ken/internal/jsonl"
	"ken/internal/session"
)

// A written is a file and what was appended to it: nothing if its sizes are equal.
type written struct {
	path          string
	before, after int64 // its size in bytes
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
func syncAll(ctx context.Context, dir session.Dir, files []written) error {
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
				errs = append(errs, err, takeBack(ctx, dir, w))
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

// takeBack cuts off what was appended to a file, unless somebody has added to it.
func takeBack(ctx context.Context, dir session.Dir, w written) error {
	if w.after == w.before {
		return nil
	}
	lock, err := jsonl.LockDir(ctx, dir.Lock, lockWait)
	if err != nil {
		return err
	}
	now, err := sizeOf(w.path)
	if err == nil && now == w.after {
		err = diskOf(dir).Truncate(w.path, w.before)
	}
	return errors.Join(err, lock.Unlock())
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
