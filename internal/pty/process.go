//go:build linux || darwin

package pty

import (
	"errors"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"ken/internal/pty/keep"
)

// A process is a command that was started.
type process interface {
	// await returns how it ended.
	await() unix.WaitStatus
	// send sends a signal to its process group.
	send(s syscall.Signal)
}

// start starts a command, with a keeper if somebody wants that.
func start(cmd *exec.Cmd, with func(*keep.Command)) (process, error) {
	if with == nil {
		if err := cmd.Start(); err != nil {
			return nil, err
		}
		return bare(cmd.Process.Pid), nil
	}
	k, err := keep.Start(cmd)
	if err != nil {
		return nil, err
	}
	with(k)
	return kept{k}, nil
}

// A bare process is one that nobody keeps, by its number.
type bare int

func (p bare) await() unix.WaitStatus { return awaitEnd(int(p)) }

func (p bare) send(s syscall.Signal) { _ = unix.Kill(-int(p), s) }

// A kept process is one with a keeper.
type kept struct{ *keep.Command }

func (p kept) await() unix.WaitStatus { return p.Await() }

func (p kept) send(s syscall.Signal) {
	if s == unix.SIGKILL {
		go p.End()
		return
	}
	p.Signal(s)
}

// awaitEnd waits for the end of a child. One that stops is continued: the terminal is
// its own, so there is nobody who could do that later.
func awaitEnd(pid int) unix.WaitStatus {
	var status unix.WaitStatus
	for {
		_, err := unix.Wait4(pid, &status, unix.WUNTRACED, nil)
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil || !status.Stopped():
			return status
		default:
			time.Sleep(again)
			_ = unix.Kill(pid, unix.SIGCONT)
		}
	}
}
