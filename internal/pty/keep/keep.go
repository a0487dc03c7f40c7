//go:build linux || darwin

package keep

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// name is what this program is called as a keeper.
const name = "ken-keeper"

// stream is the file of a keeper by which it is told what to start, and says what became of it.
const stream = 3

// slow is how long a keeper may take to begin, on a machine that does all else first.
const slow = 30 * time.Second

// errNotEntered keeps a program that does not call Enter from starting itself for ever.
var errNotEntered = errors.New("this program is a keeper and did not call keep.Enter")

// An order is what a keeper is told to start.
type order struct {
	Path string
	Args []string
	Env  []string
	Attr *syscall.SysProcAttr
	Most int
}

// News is what a keeper says: one line when the command has begun or could not, and one when it has ended.
type news struct {
	Pid     int             // of the command, when it has begun
	Errno   syscall.Errno   // why it was not started
	Status  unix.WaitStatus // how it ended
	Crowded bool            // it had too many processes
}

// A Command is one that was started and that has a keeper.
type Command struct {
	pid     int // of the keeper, and of its group
	line    *os.File
	ended   chan struct{} // the command has
	gone    chan struct{} // so has everything that it left, and the keeper
	status  unix.WaitStatus
	crowded bool
}

// Start starts cmd, which is as for its own Start; its standard files are nil or of *os.File, it has
// no others, and no signal is ignored: see package inherit. The errors are those of cmd.Start.
func Start(cmd *exec.Cmd) (*Command, error) {
	if cmd.Err != nil {
		return nil, cmd.Err
	}
	if os.Args[0] == name {
		return nil, errNotEntered
	}
	o := order{Path: cmd.Path, Args: cmd.Args, Env: cmd.Env, Attr: cmd.SysProcAttr, Most: Most}
	if o.Env == nil {
		o.Env = os.Environ()
	}
	self, err := program()
	if err != nil {
		return nil, err
	}
	ours, theirs, err := pair()
	if err != nil {
		return nil, err
	}
	// What the command's environment says is not for the keeper: GODEBUG would have it print.
	keeper := &exec.Cmd{
		Path: self, Args: []string{name}, Env: []string{}, Dir: cmd.Dir, Stdin: cmd.Stdin, Stdout: cmd.Stdout, Stderr: cmd.Stderr,
		ExtraFiles: []*os.File{theirs}, SysProcAttr: &syscall.SysProcAttr{Setsid: true},
	}
	err = keeper.Start()
	_ = theirs.Close()
	if err != nil {
		return nil, errors.Join(err, ours.Close())
	}
	c := &Command{pid: keeper.Process.Pid, line: ours, ended: make(chan struct{}), gone: make(chan struct{})}
	if err := json.NewEncoder(ours).Encode(o); err != nil {
		_ = ours.Close()
		return nil, errors.Join(fmt.Errorf("tell its keeper: %w", err), keeper.Wait())
	}
	dec := json.NewDecoder(ours)
	var first news
	never := time.AfterFunc(slow, func() { _ = keeper.Process.Kill() }) // it is none: see Enter
	err = dec.Decode(&first)
	never.Stop()
	if err == nil && first.Errno == 0 {
		go c.follow(dec, keeper, first.Pid)
		return c, nil
	}
	_ = ours.Close()
	_ = keeper.Wait()
	if err == nil {
		return nil, &os.PathError{Op: "fork/exec", Path: cmd.Path, Err: first.Errno}
	}
	if how, ok := keeper.ProcessState.Sys().(syscall.WaitStatus); !ok || !how.Signaled() {
		return nil, fmt.Errorf("its keeper ended: %w", err)
	}
	c.status = unix.WaitStatus(unix.SIGKILL) // the command was quick to kill its keeper, and went with it
	close(c.ended)
	close(c.gone)
	return c, nil
}

// follow takes in what the keeper says.
func (c *Command) follow(dec *json.Decoder, keeper *exec.Cmd, pid int) {
	var n news
	if err := dec.Decode(&n); err != nil { // somebody killed the keeper, and the command itself went with it
		n.Status = unix.WaitStatus(unix.SIGKILL)
		_ = unix.Kill(-pid, unix.SIGKILL)
	}
	c.status, c.crowded = n.Status, n.Crowded
	close(c.ended)
	_, _ = io.Copy(io.Discard, dec.Buffered())
	_, _ = io.Copy(io.Discard, c.line) // it ends with the keeper
	_ = keeper.Wait()
	_ = c.line.Close()
	close(c.gone)
}

// Await returns how the command itself ended. What it left running goes on.
func (c *Command) Await() unix.WaitStatus {
	<-c.ended
	return c.status
}

// Crowded reports, once the command has ended, whether it was ended since it had too many processes.
func (c *Command) Crowded() bool {
	<-c.ended
	return c.crowded
}

// Signal sends a signal to the command's process group, for which it goes to the keeper. It is not for SIGKILL: see End.
func (c *Command) Signal(s syscall.Signal) {
	select {
	case <-c.ended:
	default:
		_ = unix.Kill(c.pid, s)
	}
}

// End kills the command and everything that it left running, and returns when that is gone, or could not be
// killed in some seconds. It may be called at any time, and again.
func (c *Command) End() {
	if conn, err := c.line.SyscallConn(); err == nil {
		_ = conn.Control(func(fd uintptr) { _ = unix.Shutdown(int(fd), unix.SHUT_WR) })
	}
	t := time.NewTimer(2 * stubborn)
	defer t.Stop()
	select {
	case <-c.gone:
	case <-t.C:
	}
}

// pair returns the two ends of a stream that no other program gets.
func pair() (ours, theirs *os.File, err error) {
	syscall.ForkLock.RLock()
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err == nil {
		unix.CloseOnExec(fds[0])
		unix.CloseOnExec(fds[1])
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, nil, os.NewSyscallError("socketpair", err)
	}
	if err := unix.SetNonblock(fds[0], true); err != nil {
		return nil, nil, errors.Join(err, unix.Close(fds[0]), unix.Close(fds[1]))
	}
	return os.NewFile(uintptr(fds[0]), name), os.NewFile(uintptr(fds[1]), name), nil
}
