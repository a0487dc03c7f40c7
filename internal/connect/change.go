package connect

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"ken/internal/jsonl"
	"ken/internal/regular"
)

const (
	most  = 16 << 20 // bytes of a file
	tries = 3        // while others write to it
	links = 40       // that a path leads over at most
)

// A HeldError says why a file cannot be written as it stands: it is not regular, not the person's, not writable.
type HeldError struct {
	Path string
	Err  error
}

func (e *HeldError) Error() string { return e.Path + ": " + e.Err.Error() }
func (e *HeldError) Unwrap() error { return e.Err }

// A Change is what is to become of one file.
type Change struct {
	File     File
	Path     string // of the file itself, links resolved
	Old, New []byte // nil: no file
	Remove   bool   // what is ken's is taken out

	fs jsonl.FS // nil: the machine's
}

// Plan says what becomes of a file when what is ken's is put in, or taken out. Nothing is written. Errors:
// *HeldError, *RejectedError, *ForeignError.
func Plan(f File, remove bool) (Change, error) {
	c := Change{File: f, Remove: remove}
	path, err := resolve(f.Path)
	if err == nil && f.top != "" {
		err = inside(f.top, path)
	}
	if err != nil {
		return c, &HeldError{f.Path, err}
	}
	c.Path = path
	c.Old, err = regular.Read(path, most)
	if errors.Is(err, fs.ErrNotExist) {
		c.Old, err = nil, nil
	} else if err == nil && c.Old == nil {
		c.Old = []byte{}
	}
	if err != nil {
		return c, &HeldError{f.Path, regular.Cause(err)}
	}
	if c.New, err = c.edit(c.Old); err != nil {
		return c, err
	}
	if c.Changes() {
		if err := writable(path); err != nil {
			return c, &HeldError{f.Path, err}
		}
	}
	return c, nil
}

// Changes reports whether anything changes.
func (c Change) Changes() bool { return !bytes.Equal(c.Old, c.New) || (c.Old == nil) != (c.New == nil) }

func (c Change) edit(old []byte) ([]byte, error) {
	if c.Remove {
		return c.File.without(old)
	}
	return c.File.with(old)
}

// Apply makes the change, to the file as it is by now. keep is called with what the file held, right before it is
// written; nothing is written if it fails. If others go on writing the error is jsonl.ErrChanged.
func (c Change) Apply(ctx context.Context, keep func(old []byte) error) (err error) {
	for range tries {
		err = c.once(ctx, keep)
		if !errors.Is(err, jsonl.ErrChanged) {
			return err
		}
	}
	return err
}

func (c Change) once(ctx context.Context, keep func([]byte) error) error {
	gone := false
	before, err := regular.Stat(c.Path)
	if err != nil {
		return err
	}
	edit := jsonl.Edit{Path: c.Path, FS: c.fs, Most: most}
	_, err = edit.Bytes(ctx, func(old []byte) ([]byte, error) {
		now, err := c.edit(old)
		if err != nil || bytes.Equal(old, now) && (old == nil) == (now == nil) {
			return old, err
		}
		if old != nil {
			if err := keep(old); err != nil {
				return nil, err
			}
		}
		if now == nil {
			gone = true
			return old, nil
		}
		return now, nil
	})
	if err != nil || !gone {
		return err
	}
	after, err := regular.Stat(c.Path)
	if err != nil {
		return err
	}
	if !jsonl.SeenAs(before).Unchanged(jsonl.SeenAs(after)) {
		return jsonl.ErrChanged
	}
	if err := os.Remove(c.Path); err != nil {
		return err
	}
	if c.File.within != "" {
		for _, dir := range []string{filepath.Dir(c.Path), c.File.within} {
			_ = os.Remove(dir) // one that holds more stays
		}
	}
	return nil
}

// resolve is the path of the file that a path leads to over links. One that leads nowhere is that of a file that
// can be made there, if its directory is there.
func resolve(path string) (string, error) {
	for n := range links {
		fi, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) && n > 0 {
			if _, err := os.Stat(filepath.Dir(path)); err != nil {
				return "", fmt.Errorf("a link to %s, whose directory is not there", path)
			}
			return path, nil
		}
		if errors.Is(err, fs.ErrNotExist) {
			return path, nil
		}
		if err != nil {
			return "", regular.Cause(err)
		}
		if fi.Mode()&fs.ModeSymlink == 0 {
			return path, nil
		}
		to, err := os.Readlink(path)
		if err != nil {
			return "", regular.Cause(err)
		}
		if !filepath.IsAbs(to) { // from where the link is, which may be reached over links
			dir, err := filepath.EvalSymlinks(filepath.Dir(path))
			if err != nil {
				return "", regular.Cause(err)
			}
			to = filepath.Join(dir, to)
		}
		path = to
	}
	return "", errors.New("links that lead round in a circle")
}

// writable returns an error unless the person may write the file at path, and into its directory. The modes decide,
// also for those whom the system lets write anywhere.
func writable(path string) error {
	fi, err := regular.Stat(path)
	if err != nil {
		return err
	}
	if fi != nil {
		if _, mine := regular.Owner(fi); !mine {
			return errors.New("it belongs to somebody else")
		}
		if fi.Mode().Perm()&0o200 == 0 {
			return errors.New("it is not to be written")
		}
	}
	dir := filepath.Dir(path)
	for {
		fi, err = os.Stat(dir)
		if !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	switch {
	case err != nil:
		return regular.Cause(err)
	case !fi.IsDir():
		return fmt.Errorf("%s is no directory", dir)
	case fi.Mode().Perm()&0o200 == 0:
		return fmt.Errorf("the directory %s is not to be written", dir)
	}
	return nil
}
