package pty

import "golang.org/x/sys/unix"

// How a terminal's settings are read and written.
const (
	getTermios = unix.TIOCGETA
	setTermios = unix.TIOCSETA
)
