//go:build unix

package segment

import (
	"os"

	"golang.org/x/sys/unix"
)

// load maps a file of size bytes into memory, read-only.
func load(f *os.File, size int64) ([]byte, error) {
	return unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
}

// unload gives back what load returned.
func unload(b []byte) error { return unix.Munmap(b) }
