//go:build linux || darwin

package edit

import (
	"errors"
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// probeWait is how long a terminal has to say where its cursor is, in
// milliseconds: a connection around the world takes half of it. One that does not is no terminal to edit on.
const probeWait = 1000

// probe asks the terminal where its cursor is. typed is what else came.
func probe(fd int, out *os.File) (typed []byte, ok bool) {
	if _, err := out.WriteString("\x1b[6n"); err != nil {
		return nil, false
	}
	buf := make([]byte, 4096)
	left := unix.NsecToTimeval(probeWait * 1e6)
	for range probeWait { // of reads: typing cannot keep it from ending
		var reads unix.FdSet
		reads.Set(fd)
		n, err := unix.Select(fd+1, &reads, nil, nil, &left) // counts left down on Linux
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil || n == 0 {
			break
		}
		if n, err = unix.Read(fd, buf); err != nil || n <= 0 {
			break
		}
		typed = append(typed, buf[:n]...)
		if from, to := findPosition(typed); to > 0 {
			return slices.Delete(typed, from, to), true
		}
	}
	return typed, false
}
