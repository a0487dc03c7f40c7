package httpapi

import (
	"net"
	"os"
)

// isOwn reports whether a connection may be answered: one by a socket comes from a process of the same account, whatever
// the modes of the socket let in. Of other connections it knows nothing.
func isOwn(c net.Conn) bool {
	u, ok := c.(*net.UnixConn)
	if !ok {
		return true
	}
	raw, err := u.SyscallConn()
	if err != nil {
		return false
	}
	uid, known := -1, false
	if err := raw.Control(func(fd uintptr) { uid, known = peer(int(fd)) }); err != nil {
		return false
	}
	return known && uid == os.Geteuid()
}
