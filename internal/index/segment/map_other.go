//go:build !unix

package segment

import (
	"io"
	"os"
)

// mapFile reads a file.
func mapFile(f *os.File, size int) (data []byte, unmap func(), err error) {
	data = make([]byte, size)
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, nil, err
	}
	return data, func() {}, nil
}
