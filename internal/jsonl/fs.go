package jsonl

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"ken/internal/regular"
)

// An FS does the calls that change files. OS is the real one; the ones of
// package jsonltest fail, crash and forget on purpose.
type FS interface {
	// OpenFile opens a file or, to sync it, a directory, as os.OpenFile does. It
	// does not wait for the other end of a pipe.
	OpenFile(name string, flag int, perm fs.FileMode) (File, error)
	// Rename puts the file from in the place of the file to.
	Rename(from, to string) error
	// Remove deletes a file.
	Remove(name string) error
	// Truncate cuts a file to size bytes.
	Truncate(name string, size int64) error
}

// A File is a file open for writing. One that is a Cutter as well is cut by what was
// opened, and not by its name.
type File interface {
	// Write writes p in one call, as os.File.Write does.
	Write(p []byte) (int, error)
	// Stat describes the file that was opened, also if its name means another
	// one by now.
	Stat() (fs.FileInfo, error)
	// Sync returns when everything that was written is on the disk.
	Sync() error
	// Close closes the file.
	Close() error
}

// OS is the file system of the machine.
type OS struct{}

// OpenFile implements FS.
func (OS) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	f, err := os.OpenFile(name, flag|regular.NoWait, perm)
	if err != nil {
		return nil, err
	}
	return osFile{f}, nil
}

// Rename implements FS.
func (OS) Rename(from, to string) error { return os.Rename(from, to) }

// Remove implements FS.
func (OS) Remove(name string) error { return os.Remove(name) }

// Truncate implements FS.
func (OS) Truncate(name string, size int64) error { return os.Truncate(name, size) }

type osFile struct{ *os.File }

func (f osFile) Sync() error { return syncData(f.File) }

// A Cutter is a File that can be cut.
type Cutter interface {
	// Truncate cuts the file that was opened to size bytes.
	Truncate(size int64) error
}

// Truncate implements Cutter. Windows lets nobody cut a file that is open for appending
// alone.
func (f osFile) Truncate(size int64) error {
	if runtime.GOOS == "windows" {
		return os.Truncate(f.Name(), size)
	}
	return f.File.Truncate(size)
}

// SyncDir makes the names in a directory durable. Windows cannot and need not:
// its file systems write names in order.
func SyncDir(f FS, dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := f.OpenFile(dir, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	err = d.Sync()
	if cerr := d.Close(); err == nil {
		err = cerr
	}
	return err
}

// MakeDir makes the directory dir and those above it that are missing, for this
// user alone (mode 0700 whatever the umask), and makes their names durable.
func MakeDir(f FS, dir string) error {
	fi, err := os.Stat(dir)
	if err == nil && fi.IsDir() {
		return nil
	}
	up := filepath.Dir(dir)
	if up != dir {
		if err := MakeDir(f, up); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		// Another process may have been first.
		if fi, serr := os.Stat(dir); serr == nil && fi.IsDir() {
			return nil
		}
		return err
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		return err
	}
	return SyncDir(f, up)
}
