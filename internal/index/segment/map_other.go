//go:build !unix

package segment

import (
	"io"
	"os"
)

// load reads a file of size bytes.
func load(f *os.File, size int64) ([]byte, error) {
	b := make([]byte, size)
	_, err := io.ReadFull(f, b)
	return b, err
}

// unload has nothing to give back: the memory is the garbage collector's.
func unload([]byte) error { return nil }
