package pair

import (
	"errors"
	"fmt"
	"os"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// Open returns both ends of a new pseudo-terminal. Neither becomes the terminal of this process.
func Open() (master, slave *os.File, err error) {
	master, err = os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, nil, err
	}
	err = control(master, func(fd int) error { return unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0) })
	if err == nil {
		slave, err = peer(master, os.O_RDWR)
	}
	if err == nil {
		return master, slave, nil
	}
	if err = errors.Join(err, master.Close()); isOld(err) {
		return pty.Open()
	}
	return nil, nil, err
}

// Again opens the second end once more. flag is os.O_RDWR, os.O_WRONLY or os.O_RDONLY.
func Again(master, slave *os.File, flag int) (*os.File, error) {
	f, err := peer(master, flag)
	if isOld(err) {
		return os.OpenFile(slave.Name(), flag|unix.O_NOCTTY, 0)
	}
	return f, err
}

// isOld reports that the system cannot open one end by the other: Linux before 4.13, or what passes for it.
func isOld(err error) bool { return errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTTY) }

func peer(master *os.File, flag int) (slave *os.File, err error) {
	err = control(master, func(fd int) error {
		n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
		if err != nil {
			return err
		}
		got, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), unix.TIOCGPTPEER, uintptr(flag|unix.O_NOCTTY|unix.O_CLOEXEC))
		if errno != 0 {
			return errno
		}
		slave = os.NewFile(got, fmt.Sprintf("/dev/pts/%d", n))
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("open the second end of a pseudo-terminal: %w", err)
	}
	return slave, nil
}
