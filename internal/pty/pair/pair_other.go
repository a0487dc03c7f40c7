//go:build unix && !linux

package pair

import (
	"os"
	"syscall"

	"github.com/creack/pty"
)

// Open returns both ends of a new pseudo-terminal. Neither becomes the terminal of this process.
func Open() (master, slave *os.File, err error) { return pty.Open() }

// Again opens the second end once more. flag is os.O_RDWR, os.O_WRONLY or os.O_RDONLY.
func Again(_, slave *os.File, flag int) (*os.File, error) {
	return os.OpenFile(slave.Name(), flag|syscall.O_NOCTTY, 0)
}
