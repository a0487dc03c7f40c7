//go:build unix

package pair

import (
	"errors"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// Start starts cmd with a new pseudo-terminal of rows by cols cells as its own, in a session of its own, and
// returns the end of whoever sits there. Input and outputs that cmd has are left to it.
func Start(cmd *exec.Cmd, rows, cols int) (*os.File, error) {
	master, slave, err := Open()
	if err != nil {
		return nil, err
	}
	if err := Resize(master, rows, cols); err != nil {
		return nil, errors.Join(err, master.Close(), slave.Close())
	}
	if cmd.Stdin == nil {
		cmd.Stdin = slave
	}
	if cmd.Stdout == nil {
		cmd.Stdout = slave
	}
	if cmd.Stderr == nil {
		cmd.Stderr = slave
	}
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setsid, cmd.SysProcAttr.Setctty = true, true
	err = cmd.Start()
	_ = slave.Close()
	if err != nil {
		return nil, errors.Join(err, master.Close())
	}
	return master, nil
}

// Resize gives a terminal another size, in cells.
func Resize(tty *os.File, rows, cols int) error {
	return control(tty, func(fd int) error {
		return unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: uint16(rows), Col: uint16(cols)})
	})
}

// control calls f with the number of the file, which stays as it is: File.Fd would make it wait.
func control(file *os.File, f func(fd int) error) error {
	c, err := file.SyscallConn()
	if err != nil {
		return err
	}
	if failed := c.Control(func(fd uintptr) { err = f(int(fd)) }); failed != nil {
		return failed
	}
	return err
}
