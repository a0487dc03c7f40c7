package edit

import "golang.org/x/sys/unix"

// How a terminal's settings are read and written, and how much there is to read
// (FIONREAD, which x/sys does not name).
const (
	getTermios = unix.TIOCGETA
	setTermios = unix.TIOCSETA
	toRead     = 0x4004667f
)

// noKey takes the key of a setting away.
const noKey = 0xff
