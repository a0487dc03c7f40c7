//go:build linux || darwin

package pty

import (
	"errors"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// A waker lets goroutines hand work to one that waits for files.
type waker struct {
	read, write *os.File
	fd          int // of read
	work        chan func()
	done        chan struct{}
	closing     sync.Once
}

func newWaker() (*waker, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	return &waker{read: r, write: w, fd: int(r.Fd()), work: make(chan func(), 16), done: make(chan struct{})}, nil
}

// do has the waiting goroutine run f, unless that is gone.
func (w *waker) do(f func()) {
	select {
	case w.work <- f:
		_, _ = w.write.Write([]byte{0}) // a pipe that is full wakes as well
	case <-w.done:
	}
}

// run runs what was handed in.
func (w *waker) run(woken bool) {
	if !woken {
		return
	}
	var b [64]byte
	_, _ = unix.Read(w.fd, b[:]) // only how much there is matters, and not much
	for {
		select {
		case f := <-w.work:
			f()
		default:
			return
		}
	}
}

func (w *waker) close() {
	w.closing.Do(func() {
		close(w.done)
		_ = w.read.Close()
		_ = w.write.Close()
	})
}

// What there is to do after a wait.
type readiness struct {
	woken  bool // work was handed in
	output bool // there is output, or it has ended
	keys   bool // somebody typed
	room   bool // the terminal takes keys again
	quiet  bool // nothing came for a while after the end
}

// wait waits for something to do. Select is used since poll knows no terminals on
// macOS.
func (r *run) wait() (readiness, error) {
	var reads, writes unix.FdSet
	last := r.w.fd
	add := func(set *unix.FdSet, fd int) {
		set.Set(fd)
		last = max(last, fd)
	}
	if max(r.t.fd, r.t.ownFD, r.w.fd) >= unix.FD_SETSIZE {
		return readiness{}, errors.New("too many open files to wait for a command")
	}
	add(&reads, r.w.fd)
	if r.t.fd >= 0 {
		add(&reads, r.t.fd)
	}
	// Keys that the command does not take wait in the person's terminal.
	switch waiting := len(r.keys) > 0; {
	case waiting && r.t.fd >= 0:
		add(&writes, r.t.fd)
	case !waiting && r.t.ownFD >= 0 && !r.exited:
		add(&reads, r.t.ownFD)
	}
	var timeout *unix.Timeval
	if r.exited {
		tv := unix.NsecToTimeval(silence.Nanoseconds())
		timeout = &tv
	}
	n, err := unix.Select(last+1, &reads, &writes, nil, timeout)
	if errors.Is(err, unix.EINTR) {
		return readiness{}, nil
	}
	if err != nil {
		return readiness{}, os.NewSyscallError("select", err)
	}
	return readiness{
		woken:  reads.IsSet(r.w.fd),
		output: r.t.fd >= 0 && reads.IsSet(r.t.fd),
		keys:   r.t.ownFD >= 0 && reads.IsSet(r.t.ownFD),
		room:   r.t.fd >= 0 && writes.IsSet(r.t.fd),
		quiet:  n == 0,
	}, nil
}
