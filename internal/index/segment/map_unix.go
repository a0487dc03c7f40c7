//go:build unix

package segment

import (
	"os"

	"golang.org/x/sys/unix"
)

// mapFile maps a file into memory. A file that is cut off afterwards by somebody
// else would be a fault of the process: segments are only replaced as a whole.
func mapFile(f *os.File, size int) (data []byte, unmap func(), err error) {
	data, err = unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, err
	}
	return data, func() { _ = unix.Munmap(data) }, nil
}
