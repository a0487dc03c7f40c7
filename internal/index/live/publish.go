package live

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ken/internal/jsonl"
)

// lockWait is how long Rebuild waits for who holds the lock: it has time, but another
// question will do as well.
const lockWait = 2 * time.Second

// Until they have their names segments end in one of these; of nobody any more are
// those older than remains.
const newSuffix, tmpSuffix, remains = ".new", ".tmp", 10 * time.Minute

// publish has write make a new segment, and gives it its name at path: but only if
// same says that the files it was made of are still those, while nobody can erase
// from them. An erasing that began meanwhile may have swept the index already, and
// the segment would hold words of what is gone.
func (s *Index) publish(ctx context.Context, path string, write func(path string) error, same func() error) (err error) {
	if err := os.MkdirAll(s.o.Dir, 0o700); err != nil {
		return fmt.Errorf("index: %w", err)
	}
	s.removeRemains()
	f, err := os.CreateTemp(s.o.Dir, filepath.Base(path)+".*"+newSuffix) // a name that is no other program's
	if err != nil {
		return fmt.Errorf("index: %w", err)
	}
	made := f.Name()
	if err := f.Close(); err != nil {
		return errors.Join(fmt.Errorf("index: %w", err), os.Remove(made))
	}
	defer func() {
		if gone := os.Remove(made); err != nil && gone != nil && !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}()
	if err := write(made); err != nil {
		return err
	}
	return s.locked(ctx, func() error {
		if err := same(); err != nil {
			return err
		}
		if err := os.Rename(made, path); err != nil {
			return fmt.Errorf("index: %w", err)
		}
		return nil
	})
}

// locked runs do while nobody erases. Where there can be no lock nobody can erase.
func (s *Index) locked(ctx context.Context, do func() error) error {
	if s.o.Lock == "" {
		return do()
	}
	lock, err := jsonl.LockDir(ctx, s.o.Lock, lockWait)
	if errors.Is(err, jsonl.ErrBusy) || ctx.Err() != nil {
		return fmt.Errorf("index: %w", err)
	}
	if err != nil {
		return do()
	}
	return errors.Join(do(), lock.Unlock())
}

// removeRemains removes what programs left that were killed while they wrote.
func (s *Index) removeRemains() {
	names, err := os.ReadDir(s.o.Dir)
	if err != nil {
		return // writing will fail as well
	}
	for _, n := range names {
		unnamed := strings.HasSuffix(n.Name(), newSuffix) || strings.HasSuffix(n.Name(), tmpSuffix)
		if fi, err := n.Info(); unnamed && err == nil && s.o.Clock().Sub(fi.ModTime()) > remains {
			_ = os.Remove(filepath.Join(s.o.Dir, n.Name())) // the next one tries again
		}
	}
}
