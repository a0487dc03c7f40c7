package regular

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

var (
	// ErrNotFile says that a directory, a pipe, a socket or a device stands
	// where a file should be.
	ErrNotFile = errors.New("not a regular file")
	// ErrTooLong says that a file is longer than its reader takes.
	ErrTooLong = errors.New("too long")
)

// Open opens the regular file at path for reading. It never waits for another
// program. The error is an *fs.PathError as that of os.Open, or ErrNotFile with
// the path and what stands there.
func Open(path string) (*os.File, error) { return OpenFile(path, os.O_RDONLY, 0) }

// OpenFile is os.OpenFile for regular files alone; see Open. A file that flag
// has made is a regular file.
func OpenFile(path string, flag int, perm fs.FileMode) (*os.File, error) {
	if err := before(path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, flag|NoWait, perm)
	if err != nil {
		return nil, refused(path, err, os.Stat)
	}
	return checked(f, path)
}

// OpenIn opens the regular file name below root for reading; see Open. Links
// that lead out of root are refused, as root does.
func OpenIn(root *os.Root, name string) (*os.File, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|NoWait, 0)
	if err != nil {
		return nil, refused(name, err, root.Stat)
	}
	return checked(f, name)
}

// Read returns what the regular file at path holds. A file of more than most
// bytes is ErrTooLong; nothing of it is returned. A missing one is
// fs.ErrNotExist.
func Read(path string, most int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return bounded(f, path, most)
}

// ReadIn is Read for the file name below root.
func ReadIn(root *os.Root, name string, most int64) ([]byte, error) {
	f, err := OpenIn(root, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return bounded(f, name, most)
}

// Stat describes the file at path, nil if there is none. What is no regular
// file is ErrNotFile. It is for words before an act, and no proof for the
// moment of the act: open the file for that.
func Stat(path string) (fs.FileInfo, error) {
	fi, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := Check(path, fi); err != nil {
		return nil, err
	}
	return fi, nil
}

// Check returns ErrNotFile, with path and what it is, unless fi describes a
// regular file.
func Check(path string, fi fs.FileInfo) error {
	if fi.Mode().IsRegular() {
		return nil
	}
	return fmt.Errorf("%s: %w (%s): move it away", path, ErrNotFile, Kind(fi.Mode()))
}

// refused is why path could not be opened: ErrNotFile if that is the reason. A
// pipe without a reader, a directory and a socket each have words of the
// system's own for it.
func refused(path string, err error, stat func(string) (fs.FileInfo, error)) error {
	if fi, serr := stat(path); serr == nil {
		if why := Check(path, fi); why != nil {
			return why
		}
	}
	return err
}

// checked returns f if it is a regular file, and closes it otherwise.
func checked(f *os.File, path string) (*os.File, error) {
	fi, err := f.Stat()
	if err == nil {
		err = Check(path, fi)
	}
	if err != nil {
		_ = f.Close() // nothing was written to it
		return nil, err
	}
	return f, nil
}

// bounded reads all of f, at most most bytes.
func bounded(f *os.File, path string, most int64) ([]byte, error) {
	fi, err := f.Stat()
	if err != nil {
		return nil, err
	}
	// One byte more than there should be: the end is then found in one read.
	text := make([]byte, 0, min(fi.Size(), most)+1)
	for {
		n, err := f.Read(text[len(text):cap(text)])
		text = text[:len(text)+n]
		if int64(len(text)) > most {
			return nil, fmt.Errorf("%s: %w: more than the %d bytes that are read", path, ErrTooLong, most)
		}
		if errors.Is(err, io.EOF) {
			return text, nil
		}
		if err != nil {
			return nil, err
		}
		if len(text) == cap(text) { // it grew meanwhile
			text = append(text, 0)[:len(text)]
		}
	}
}

// Kind says in a word or two what it is that has a mode and is no regular file: "a directory".
func Kind(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a directory"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return m.String()
}

// Cause returns an error of the file system without the path, which the caller names.
func Cause(err error) error {
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		return pe.Err
	}
	return err
}
