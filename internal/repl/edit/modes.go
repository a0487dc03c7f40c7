//go:build linux || darwin

package edit

import (
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A mode is what the person's terminal does with what is typed.
type mode int

const (
	usual  mode = iota // as it was found
	ahead              // what is typed is kept for the next line, unseen; Ctrl-C and Ctrl-Z are signals
	editor             // every key is the editor's
	marked             // the system edits lines, and what is pasted has marks
)

// Bracketed paste: the terminal marks what is pasted.
const (
	pasteOn  = "\x1b[?2004h"
	pasteOff = "\x1b[?2004l"
)

// A screen is the person's terminal and the mode it is in.
type screen struct {
	fd      int
	out     *os.File
	changed func() // is called when what is on the screen may not be where it was

	mu    sync.Mutex
	found unix.Termios // how it was found
	mode  mode
	ended bool

	signals chan os.Signal
	fatal   chan os.Signal // would end ken with the terminal as it is now
	done    chan struct{}
}

// newScreen notes how the terminal is, and looks after it until close. changed is
// called on a goroutine of its own.
func newScreen(fd int, out *os.File, changed func()) (*screen, error) {
	found, err := unix.IoctlGetTermios(fd, getTermios)
	if err != nil {
		return nil, err
	}
	s := &screen{fd: fd, out: out, found: *found, changed: changed, signals: make(chan os.Signal, 4), fatal: make(chan os.Signal, 1), done: make(chan struct{})}
	signal.Notify(s.signals, unix.SIGCONT, unix.SIGWINCH)
	go s.watch()
	return s, nil
}

// set puts the terminal in mode m and returns the mode it was in.
func (s *screen) set(m mode) mode {
	s.mu.Lock()
	defer s.mu.Unlock()
	was := s.mode
	if s.ended || was == m {
		return was
	}
	s.apply(m)
	s.mode = m
	if m == usual { // who has the terminal now looks after it
		signal.Stop(s.fatal)
	} else {
		signal.Notify(s.fatal, fatal()...)
	}
	return was
}

// fatal are the signals that end a Go program at once, wherever they come from, and that ken asks for nowhere else.
func fatal() []os.Signal {
	return []os.Signal{
		unix.SIGQUIT, unix.SIGILL, unix.SIGTRAP, unix.SIGABRT, unix.SIGBUS, unix.SIGFPE, unix.SIGSEGV, unix.SIGSYS,
	}
}

// apply changes the terminal. If that fails there is no terminal any more,
// which reading shows.
func (s *screen) apply(m mode) {
	t := s.found
	if m == marked {
		marks(&t)
	}
	if m == ahead || m == editor {
		t.Lflag &^= unix.ECHO | unix.ECHONL | unix.ICANON
		t.Iflag &^= unix.ICRNL | unix.INLCR | unix.IGNCR // so that Enter and C-j stay two keys
		t.Cc[unix.VMIN], t.Cc[unix.VTIME] = 1, 0
	}
	if m == editor {
		t.Lflag &^= unix.ISIG | unix.IEXTEN
		t.Iflag &^= unix.IXON | unix.ISTRIP | unix.BRKINT | unix.PARMRK
		t.Cflag &^= unix.CSIZE | unix.PARENB
		t.Cflag |= unix.CS8
	}
	_ = unix.IoctlSetTermios(s.fd, setTermios, &t)
	switch {
	case m == editor || m == marked:
		fmt.Fprint(s.out, pasteOn)
	case s.mode == editor || s.mode == marked:
		fmt.Fprint(s.out, pasteOff)
	}
}

// close gives the terminal back as it was found.
func (s *screen) close() {
	s.set(usual)
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ended {
		s.ended = true
		signal.Stop(s.signals)
		close(s.done)
	}
}

// watch gives the terminal back before a signal ends ken at once, and takes it
// again when ken goes on. That SIGTSTP stops ken is left to the system: once a Go
// program has asked for that signal it can no longer be stopped by it.
func (s *screen) watch() {
	for {
		select {
		case sig := <-s.signals:
			if sig == unix.SIGCONT {
				s.again()
			}
			s.changed()
		case sig := <-s.fatal:
			s.set(usual)
			signal.Reset(sig)
			if sig, ok := sig.(syscall.Signal); ok {
				_ = unix.Kill(os.Getpid(), sig)
			}
		case <-s.done:
			return
		}
	}
}

// again puts the terminal in the mode that it should be in: who looked after it
// while ken was stopped may have changed it.
func (s *screen) again() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ended && s.mode != usual {
		s.apply(s.mode)
	}
}

// orphan is how long it takes to see that a stop was no stop: the system does
// not stop a group of processes that nobody could make go on.
const orphan = 100 * time.Millisecond

// stop stops ken and what was started with it, with the terminal as it was
// found, and returns when ken goes on.
func (s *screen) stop() {
	goes := make(chan os.Signal, 1)
	signal.Notify(goes, unix.SIGCONT)
	defer signal.Stop(goes)
	was := s.set(usual)
	_ = unix.Kill(0, unix.SIGTSTP)
	select {
	case <-goes:
	case <-time.After(orphan):
	}
	s.set(was)
}
