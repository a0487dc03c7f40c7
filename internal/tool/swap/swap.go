package swap

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"ken/internal/regular"
)

const (
	// Most is how many bytes a file may have, before and after.
	Most = 1 << 20
	// Largest is how many it may have where Swap.Large says so.
	Largest = 64 << 20
)

var (
	// ErrChanged says that a file does not hold any more what was seen.
	ErrChanged = errors.New("the file changed meanwhile")
	// ErrNames says that a file has several names.
	ErrNames = errors.New("the file has several names (hard links), and the others would keep the old content")
	// ErrOwner says that a file belongs to another account.
	ErrOwner = errors.New("the file belongs to another account")
	// ErrMoved says that a directory on the way to a file became another, or a link.
	ErrMoved = errors.New("the path leads elsewhere by now")
)

// A Swap is what is to become of one file.
type Swap struct {
	Path   string // absolute, without symbolic links
	Before string // Sum of what it must hold; "" if it must not be there
	After  []byte // what it holds then
	Gone   bool   // it is removed instead
	// Mode is that of a new file, whatever the umask is; 0 for the usual one. A file that is there keeps its own.
	Mode fs.FileMode
	// Was and Is are what must be there and what is there then, besides the bytes: "" is a file, which keeps its mode.
	// A link has the bytes of what it leads to, a directory none. What is of one kind does not become one of another.
	Was, Is Form
	Time    time.Time // when the new bytes were written; zero: now
	Large   bool      // Largest holds, and not Most
}

func (s Swap) most() int64 {
	if s.Large {
		return Largest
	}
	return Most
}

// Sum names bytes: their SHA-256 in hexadecimal digits.
func Sum(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// Read returns what the file at path holds, and its mode. An error is that of package regular:
// fs.ErrNotExist, regular.ErrNotFile, regular.ErrTooLong.
func Read(path string) ([]byte, fs.FileMode, error) {
	b, err := regular.Read(path, Most)
	if err != nil {
		return nil, 0, err
	}
	fi, err := regular.Stat(path)
	if err != nil || fi == nil {
		return nil, 0, errors.Join(err, fs.ErrNotExist)
	}
	return b, fi.Mode().Perm(), nil
}

// Real is path, absolute and clean, without symbolic links, and whether something is there. What
// does not exist yet is named by the last directory that does. A link to nothing is an error.
func Real(path string) (real string, there bool, err error) {
	path, err = filepath.Abs(path)
	if err != nil {
		return "", false, err
	}
	rest := ""
	for dir := path; ; {
		real, err := filepath.EvalSymlinks(dir)
		if err == nil {
			return filepath.Join(real, rest), rest == "", nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", false, err
		}
		if fi, err := os.Lstat(dir); err == nil && fi.Mode()&fs.ModeSymlink != 0 {
			return "", false, fmt.Errorf("%s: a link to nothing", dir)
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", false, err
		}
		rest, dir = filepath.Join(filepath.Base(dir), rest), up
	}
}

// Check is the error that Do would begin with. It changes nothing.
func (s Swap) Check() error {
	if int64(len(s.After)) > s.most() {
		return regular.ErrTooLong
	}
	there := s.nearest()
	if there != filepath.Dir(s.Path) {
		return nil // its directory will be made
	}
	root, err := open(there)
	if err != nil {
		return err
	}
	defer root.Close()
	_, err = s.look(root, filepath.Base(s.Path))
	return err
}

// Do does it, or nothing. Directories on the way to a new file are made.
func (s Swap) Do() error {
	if err := s.do(); err != nil {
		return fmt.Errorf("change %s: %w", s.Path, err)
	}
	return nil
}

func (s Swap) do() error {
	if int64(len(s.After)) > s.most() {
		return regular.ErrTooLong
	}
	name := filepath.Base(s.Path)
	root, err := s.open()
	if err != nil {
		return err
	}
	defer root.Close()
	old, err := s.look(root, name)
	if err != nil {
		return err
	}
	if s.Gone {
		return root.Remove(name)
	}
	if done, err := s.reform(root, name, old); done {
		return err
	}
	temp := ".ken-" + rand.Text()[:8] + ".new" // without the name, which may be as long as names are
	if s.Is == Link {
		err = root.Symlink(string(s.After), temp)
	} else {
		err = s.write(root, temp, old)
	}
	if err == nil {
		_, err = s.look(root, name)
	}
	if err == nil && old == nil {
		// A link, unlike a rename, never replaces what somebody made meanwhile.
		if err = root.Link(temp, name); err == nil || errors.Is(err, fs.ErrExist) {
			if err != nil {
				err = ErrChanged
			}
			return errors.Join(err, root.Remove(temp))
		}
		err = nil // a file system without links
	}
	if err == nil {
		err = root.Rename(temp, name)
	}
	if err != nil {
		if rerr := root.Remove(temp); !errors.Is(rerr, fs.ErrNotExist) { // as where it could not be made
			err = errors.Join(err, rerr)
		}
	}
	return err
}

// nearest is the directory of the file; of a new one the last one on the way that is there.
func (s Swap) nearest() string {
	there := filepath.Dir(s.Path)
	if s.Before != "" {
		return there
	}
	for up := filepath.Dir(there); up != there; up = filepath.Dir(there) {
		if _, err := os.Lstat(there); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		there = up
	}
	return there
}

// open opens the directory of the file, which is made for a new one.
func (s Swap) open() (*os.Root, error) {
	dir, there := filepath.Dir(s.Path), s.nearest()
	root, err := open(there)
	if err != nil || there == dir {
		return root, err
	}
	defer root.Close()
	rest, err := filepath.Rel(there, dir)
	if err == nil {
		err = root.MkdirAll(rest, 0o777)
	}
	if err != nil {
		return nil, err
	}
	return root.OpenRoot(rest)
}

// open opens a directory that its path names without links.
func open(dir string) (*os.Root, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	if err := stillThere(root, dir); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return root, nil
}

// stillThere says that the directory that was opened is the one that dir names without links.
func stillThere(root *os.Root, dir string) error {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	opened, err := root.Stat(".")
	if err != nil {
		return err
	}
	named, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if real != dir || !os.SameFile(opened, named) {
		return ErrMoved
	}
	return nil
}

// look returns what is at name if it holds what it must, nil if it must not be there and is not.
func (s Swap) look(root *os.Root, name string) (fs.FileInfo, error) {
	fi, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && s.Before == "":
		return nil, nil
	case errors.Is(err, fs.ErrNotExist), err == nil && s.Before == "":
		return nil, ErrChanged
	case err != nil:
		return nil, err
	case s.Was != "" && FormOf(fi) != s.Was:
		return nil, ErrChanged
	case s.Was == Link:
		to, err := root.Readlink(name)
		if err == nil && Sum([]byte(to)) != s.Before {
			err = ErrChanged
		}
		return fi, err
	case s.Was.IsDir():
		return fi, nil
	case fi.Mode()&fs.ModeSymlink != 0:
		return nil, ErrMoved
	}
	if err := regular.Check(name, fi); err != nil {
		return nil, err
	}
	b, err := regular.ReadIn(root, name, s.most())
	if err != nil {
		return nil, err
	}
	if Sum(b) != s.Before {
		return nil, ErrChanged
	}
	if n := Names(filepath.Join(root.Name(), name), fi); n > 1 {
		return nil, ErrNames
	}
	return fi, nil
}

// write writes the new file under a name of its own.
func (s Swap) write(root *os.Root, temp string, old fs.FileInfo) error {
	mode := s.Mode.Perm()
	if mode == 0 {
		mode = 0o666 // less the umask
	}
	if old != nil {
		mode = old.Mode().Perm()
	}
	if s.Is != "" {
		mode = s.Is.mode()
	}
	f, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode.Perm())
	if err != nil {
		return err
	}
	_, err = f.Write(s.After)
	if err == nil && old != nil {
		err = sameOwner(f, old)
	}
	if err == nil && (old != nil || s.Mode != 0 || s.Is != "") {
		err = f.Chmod(mode) // whatever the umask is, and behind the owner, which takes bits away
	}
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil && !s.Time.IsZero() {
		err = root.Chtimes(temp, s.Time, s.Time)
	}
	return err
}
