//go:build linux || darwin

package edit

import (
	"errors"
	"os"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// behind is how often a ken in the background looks whether it has the terminal again.
const behind = 200 * time.Millisecond

// Watch calls hit, on a goroutine of its own, for each press of a key that is bound to action, a control character, while no line
// is read; what else is typed is kept for the next line. Nobody else may read from the terminal until stop is called, which
// returns once nothing more is read. Where no such key is bound nothing is watched.
func (e *Editor) Watch(action string, hit func()) (stop func()) {
	keys := e.controls(action)
	wakeR, wakeW, err := os.Pipe()
	if len(keys) == 0 || err != nil {
		return func() {}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		e.watch(int(wakeR.Fd()), keys, hit)
	}()
	return func() {
		_ = wakeW.Close()
		<-done
		_ = wakeR.Close()
	}
}

// controls are the control characters that are bound to an action.
func (e *Editor) controls(action string) (keys []byte) {
	for _, keymap := range typing() {
		for seq, bind := range e.rl.Config.Binds[keymap] {
			if bind.Action == action && len(seq) == 1 && seq[0] < ' ' && !slices.Contains(keys, seq[0]) {
				keys = append(keys, seq[0])
			}
		}
	}
	return keys
}

// watch reads what is typed until wake is closed, or there is no terminal any more.
func (e *Editor) watch(wake int, keys []byte, hit func()) {
	tty, own := e.screen.fd, unix.Getpgrp()
	buf := make([]byte, 4096)
	for {
		var reads unix.FdSet
		reads.Set(wake)
		last, wait := wake, (*unix.Timeval)(nil)
		if front, err := unix.IoctlGetInt(tty, unix.TIOCGPGRP); err == nil && front != own {
			tv := unix.NsecToTimeval(behind.Nanoseconds()) // to read would stop ken
			wait = &tv
		} else {
			reads.Set(tty)
			last = max(last, tty)
		}
		switch _, err := unix.Select(last+1, &reads, nil, nil, wait); {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil || reads.IsSet(wake):
			return
		case !reads.IsSet(tty):
			continue
		}
		n, err := unix.Read(tty, buf)
		switch {
		case errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EINTR):
			continue
		case err != nil || n <= 0:
			return // who reads the next line sees it
		}
		rest := slices.DeleteFunc(buf[:n], func(b byte) bool {
			is := slices.Contains(keys, b)
			if is {
				hit()
			}
			return is
		})
		e.pump.filter.feed(rest)
	}
}
