package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"ken/internal/config"
	"ken/internal/jsonl"
)

// disk looks whether the data directory can be written to, whether that reaches a
// disk, and whether its lock can be had.
func (d *doctor) disk(ctx context.Context, paths config.Paths) {
	dir, shown := paths.Data, d.h.Settings.Short(paths.Data)
	for {
		fi, err := os.Stat(dir)
		if err == nil && fi.IsDir() {
			break
		}
		up := filepath.Dir(dir)
		if err == nil || !errors.Is(err, fs.ErrNotExist) || up == dir {
			d.gap("data", d.h.Settings.Short(dir)+": it is no directory that can be used", "move it away, or set KEN_HOME to a place of your own")
			return
		}
		dir = up
	}
	if d.h.Settings.SaysReadOnly() {
		d.ok("data", "%s is only read", shown)
		return
	}
	if err := tryDisk(dir); err != nil {
		d.gap("data", fmt.Sprintf("%s: %v", shown, err),
			"free some space, check the owner and mode of the directory, or set KEN_HOME to a place of your own")
		return
	}
	switch kind := volatile(dir); {
	case kind != "":
		d.note("data", fmt.Sprintf("%s is on %s", shown, kind), "move it to a disk of this machine: set KEN_HOME or history.dir")
	case dir != paths.Data:
		d.ok("data", "%s, not there yet, can be made", shown)
	default:
		d.ok("data", "%s can be written to", shown)
	}
	if _, err := os.Stat(paths.Lock()); err != nil {
		return // the first append makes it
	}
	lock, err := jsonl.LockDir(ctx, paths.Data, 500*time.Millisecond)
	if errors.Is(err, jsonl.ErrBusy) {
		d.gap("lock", d.h.Settings.Short(paths.Lock())+" is held by another process", "end the ken that hangs")
		return
	}
	if err == nil {
		err = lock.Unlock()
	}
	if err != nil {
		d.gap("lock", err.Error(), d.person.NextStep(err))
		return
	}
	d.ok("lock", "free")
}

// tryDisk writes a file in dir, has it forced to the disk, and takes it away.
func tryDisk(dir string) error {
	f, err := os.CreateTemp(dir, ".ken-doctor-*")
	if err != nil {
		return errors.New(causeOf(err))
	}
	_, err = f.WriteString("ken doctor\n")
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}
