package httpapi

import "golang.org/x/sys/unix"

// peer is the account of the process at the other end of a socket.
func peer(fd int) (uid int, known bool) {
	c, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return 0, false
	}
	return int(c.Uid), true
}
