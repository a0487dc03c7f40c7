package jsonl

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"ken/internal/regular"
)

var (
	// ErrChanged says that a file is no longer the one that was read: it was
	// edited, replaced or removed since. Nothing was written; read it again.
	ErrChanged = errors.New("the file was changed by somebody else")
	// ErrReplaced says that a file lost its name to another one while lines
	// were appended to it. It is an ErrChanged. The lines are in the other file
	// only if whoever made it had already read them.
	ErrReplaced = fmt.Errorf("%w while lines were appended", ErrChanged)
)

// A SyncError says that lines were written and that the disk did not confirm
// them. They are not saved, and asking the disk again would prove nothing: the
// kernel forgets what it could not write. So they were taken back, lest a later
// line follow bytes that exist in memory alone.
type SyncError struct {
	Path string
	// Present says that taking them back failed as well: the file, opened
	// anew, still holds the lines. They may be gone after the machine stopped.
	Present bool
	Err     error // what the sync said, and what taking back said
}

func (e *SyncError) Error() string {
	state := "they were taken back"
	if e.Present {
		state = "they are still in the file, but may not survive a power failure"
	}
	return fmt.Sprintf("sync %s: %v: the new lines are not saved; %s", e.Path, e.Err, state)
}

func (e *SyncError) Unwrap() error { return e.Err }

// An Appended says where an append went.
type Appended struct {
	Offset int64 // of the first byte of the data
	// Guard says that the last line of the file had no end and was given one,
	// just before Offset.
	Guard bool
	// Stamp identifies the file with the new lines in it; usable if Settled.
	Stamp   Stamp
	Settled bool
}

// Append appends data, one or more whole lines with their ends, to the file at
// path under the caller's lock: in one write, and on the disk when it returns
// if sync is set. A missing file is made with mode 0600, in directories of mode
// 0700. A symbolic link is followed.
//
// After an error the lines are not in the file, as far as they could be taken
// back, or the error is a *SyncError that says what is known, or ErrReplaced.
func Append(f FS, path string, data []byte, sync bool) error {
	_, err := appendLines(f, path, nil, data, sync)
	return err
}

// AppendAfter is Append with sync for a caller that has read the file to its end
// and appends on the strength of that: read is what Stat said of the file that
// was read, nil if there was none. If the file at path is another one by now,
// of another length, or was written to, the error is ErrChanged.
//
// The file's time of change is set back by 25 ms, so that Appended.Stamp shows
// every later change (see Settle).
func AppendAfter(f FS, path string, read fs.FileInfo, data []byte) (Appended, error) {
	return appendLines(f, path, &Seen{read}, data, true)
}

// Confirm syncs the lines and the name of the file at path. A caller that acknowledges lines of
// another process needs it, because that process may have died before its own sync. For a missing
// file it does nothing.
func Confirm(f FS, path string) error {
	real, err := filepath.EvalSymlinks(path)
	if err == nil {
		var file File // Windows syncs nothing that is open for reading alone
		if file, err = f.OpenFile(real, os.O_RDWR, 0); err == nil {
			err = errors.Join(file.Sync(), file.Close())
		}
	}
	if err == nil {
		err = SyncDir(f, filepath.Dir(real))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("sync %s: %w", path, err)
	}
	return nil
}

func appendLines(f FS, path string, want *Seen, data []byte, sync bool) (Appended, error) {
	if len(data) == 0 || data[len(data)-1] != '\n' {
		return Appended{}, fmt.Errorf("append to %s: data does not end with a line end", path)
	}
	now, err := regular.Stat(path)
	if err != nil {
		return Appended{}, fmt.Errorf("append to %s: %w", path, err)
	}
	if want != nil && !want.Unchanged(Seen{now}) {
		return Appended{}, fmt.Errorf("append to %s: %w", path, ErrChanged)
	}
	w, err := openAppend(f, path, now == nil)
	if err != nil {
		return Appended{}, fmt.Errorf("append to %s: %w", path, err)
	}
	a, err := writeLines(f, w, path, now, data, sync)
	if err == nil {
		return a, nil
	}
	if se := (*SyncError)(nil); errors.As(err, &se) {
		return Appended{}, se
	}
	return Appended{}, fmt.Errorf("append to %s: %w", path, err)
}

func openAppend(f FS, path string, create bool) (File, error) {
	flag := os.O_WRONLY | os.O_APPEND
	if create {
		if err := MakeDir(f, filepath.Dir(path)); err != nil {
			return nil, err
		}
		flag |= os.O_CREATE
	}
	w, err := f.OpenFile(path, flag, 0o600)
	if errors.Is(err, fs.ErrPermission) {
		err = whyDenied(path, err)
	}
	return w, err
}

// whyDenied adds to err whose the file is, if it is somebody else's.
func whyDenied(path string, err error) error {
	fi, serr := os.Stat(path)
	if serr != nil {
		return err
	}
	if uid, _, _, ok := ownership(fi); ok && uid != os.Geteuid() {
		return fmt.Errorf("%w: it belongs to the user with the number %d: chown it, or use another file", err, uid)
	}
	return fmt.Errorf("%w: chmod u+rw it", err)
}

// writeLines writes data to w, which was opened at path where before was seen,
// and closes w.
func writeLines(f FS, w File, path string, before fs.FileInfo, data []byte, sync bool) (a Appended, err error) {
	closed := false
	defer func() {
		if !closed {
			// It was written to in vain, or the disk has confirmed what was
			// written: either way nothing depends on the close any more.
			_ = w.Close()
		}
	}()
	open, err := w.Stat()
	if err != nil {
		return a, err
	}
	if before != nil && (!os.SameFile(before, open) || before.Size() != open.Size()) || before == nil && open.Size() != 0 {
		return a, ErrChanged
	}
	if open.Size() == 0 {
		// The name comes first: a file with lines in it has a name that lasts,
		// whoever made it and died before the first line.
		err = finishNew(f, path, open, sync)
	} else if sync {
		err = finishMove(f, path)
	}
	if err != nil {
		return a, err
	}
	a.Offset = open.Size()
	if a.Guard, err = needsGuard(path, open); err != nil {
		return a, err
	}
	out := data
	if a.Guard {
		out = append(newline(), data...)
		a.Offset++
	}
	if n, err := w.Write(out); err != nil || n < len(out) {
		if err == nil {
			err = fmt.Errorf("wrote %d of %d bytes", n, len(out))
		}
		return a, takeBack(f, w, path, open, n, err)
	}
	if !sync {
		// Some network file systems report a full disk only here.
		closed = true
		if err := w.Close(); err != nil {
			return a, takeBack(f, nil, path, open, len(out), err)
		}
		return a, stillNamed(path, open)
	}
	if after, err := w.Stat(); err == nil {
		if s, ok := StampOf(after); ok {
			a.Stamp, a.Settled = Settle(path, s)
		}
	}
	if err := w.Sync(); err != nil {
		err = takeBack(f, w, path, open, len(out), err)
		return a, &SyncError{Path: path, Present: holds(path, a.Offset, data), Err: err}
	}
	return a, stillNamed(path, open)
}

// stillNamed returns ErrReplaced if an editor that saves by renaming has taken
// the name of the file away meanwhile.
func stillNamed(path string, open fs.FileInfo) error {
	if now, err := os.Stat(path); err != nil || !os.SameFile(now, open) {
		return ErrReplaced
	}
	return nil
}

// needsGuard reports whether the file's last line has no end.
func needsGuard(path string, open fs.FileInfo) (bool, error) {
	if open.Size() == 0 {
		return false, nil
	}
	r, err := regular.Open(path)
	if err != nil {
		return false, err
	}
	defer r.Close()
	fi, err := r.Stat()
	if err != nil {
		return false, err
	}
	if !os.SameFile(fi, open) {
		return false, ErrChanged
	}
	var last [1]byte
	if _, err := r.ReadAt(last[:], open.Size()-1); err != nil {
		return false, err
	}
	return last[0] != '\n', nil
}

// takeBack removes the n bytes of a write to w that failed, so that none of its lines
// is there; it leaves the file alone if anybody has added to it. w is nil if the file
// was closed; it is opened again then. What is cut is the file that was written to,
// whatever its name means by now. It returns the cause, with what could not be done.
func takeBack(f FS, w File, path string, open fs.FileInfo, n int, cause error) error {
	if n == 0 {
		return cause
	}
	if err := cutBack(f, w, path, open, n); err != nil {
		return fmt.Errorf("%w (and the %d bytes written could not be taken back: %w)", cause, n, err)
	}
	return cause
}

func cutBack(f FS, w File, path string, open fs.FileInfo, n int) (err error) {
	if w == nil {
		if w, err = f.OpenFile(path, os.O_WRONLY, 0); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, w.Close()) }()
	}
	now, err := w.Stat()
	if err != nil {
		return err
	}
	if !os.SameFile(now, open) || now.Size() != open.Size()+int64(n) {
		return ErrChanged
	}
	if c, ok := w.(Cutter); ok {
		return c.Truncate(open.Size())
	}
	return f.Truncate(path, open.Size())
}

// finishNew gives a file that has no lines yet its mode, which the umask may have
// cut, and makes its name durable.
func finishNew(f FS, path string, made fs.FileInfo, sync bool) error {
	if made.Mode().Perm()&0o600 != 0o600 {
		if err := os.Chmod(path, 0o600); err != nil {
			return err
		}
	}
	if !sync {
		return nil
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	return SyncDir(f, filepath.Dir(real))
}

// holds reports whether the file at path has data at off.
func holds(path string, off int64, data []byte) bool {
	r, err := regular.Open(path)
	if err != nil {
		return false
	}
	defer r.Close()
	got := make([]byte, len(data))
	_, err = r.ReadAt(got, off)
	return err == nil && bytes.Equal(got, data)
}
