//go:build unix

package swap

import (
	"io/fs"
	"os"
	"syscall"
)

// Names is how many names the file fi at a path has: hard links.
func Names(_ string, fi fs.FileInfo) int {
	if stat, ok := fi.Sys().(*syscall.Stat_t); ok {
		return int(stat.Nlink) //nolint:unconvert // its type is not the same everywhere
	}
	return 1
}

// sameOwner gives f the account and the group of old, or says that it cannot be.
func sameOwner(f *os.File, old fs.FileInfo) error {
	was, ok := old.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	fi, err := f.Stat()
	if err != nil {
		return err
	}
	is, ok := fi.Sys().(*syscall.Stat_t)
	if !ok || is.Uid == was.Uid && is.Gid == was.Gid {
		return nil
	}
	if err := f.Chown(int(was.Uid), int(was.Gid)); err != nil && is.Uid != was.Uid {
		return ErrOwner
	}
	return nil
}
