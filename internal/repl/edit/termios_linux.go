package edit

import "golang.org/x/sys/unix"

// How a terminal's settings are read and written, and how much there is to read.
const (
	getTermios = unix.TCGETS
	setTermios = unix.TCSETS
	toRead     = unix.TIOCINQ
)

// noKey takes the key of a setting away.
const noKey = 0
