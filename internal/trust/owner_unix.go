//go:build unix

package trust

import (
	"io/fs"
	"os"
	"syscall"
)

// ownerOf is the account that a file belongs to, and whether that is the person's or root.
func ownerOf(fi fs.FileInfo) (uid int, mine bool) {
	stat, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return -1, true
	}
	uid = int(stat.Uid)
	return uid, uid == os.Geteuid() || uid == 0
}
