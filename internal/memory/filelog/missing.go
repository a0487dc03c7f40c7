package filelog

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"ken/internal/jsonl"
)

// A MissingError says that there is no memory file, or an empty one, although this
// device has written to it: it was deleted, moved or emptied. Nothing of it is
// brought back.
type MissingError struct {
	Path  string
	Empty bool // it is there, and holds nothing
}

func (e *MissingError) Error() string {
	if e.Empty {
		return fmt.Sprintf("the memory file %s was emptied: what it held is not known any more", e.Path)
	}
	return fmt.Sprintf("there is no memory file %s, and this device has written one: what it held is not known any more", e.Path)
}

// Hint returns what a person can do.
func (e *MissingError) Hint() string {
	return "put the file back before you remember anything; the next memory begins a new one"
}

// MissingFiles are where to look.
type MissingFiles struct {
	Memory string // the file
	Device string // the file that names this device's log
	Dir    string // the directory whose lock every append takes
}

// LookMissing gives a *MissingError if the memory file is missing; nil if it is there, or
// there never was one. A device has its name a moment before its file: what is
// missing is looked for once more while nobody appends.
func LookMissing(ctx context.Context, f MissingFiles) error {
	err := look(f)
	if err == nil {
		return nil
	}
	lock, busy := jsonl.LockDir(ctx, f.Dir, lookWait)
	if busy != nil {
		return nil // somebody appends, and knows better
	}
	err = look(f)
	if lock.Unlock() != nil {
		return nil
	}
	return err
}

// lookWait is how long a look waits for those that append.
const lookWait = 200 * time.Millisecond

func look(f MissingFiles) error {
	fi, err := os.Stat(f.Memory)
	gone := errors.Is(err, fs.ErrNotExist)
	if !gone && (err != nil || !fi.Mode().IsRegular() || fi.Size() > 0) {
		return nil
	}
	if _, err := os.Stat(f.Device); err != nil {
		return nil // a device has its name from its first line on
	}
	if _, err := os.Lstat(f.Memory); gone && err == nil {
		return nil // a link to nothing, which is reported elsewhere
	}
	return &MissingError{Path: f.Memory, Empty: !gone}
}
