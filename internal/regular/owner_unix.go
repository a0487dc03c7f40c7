//go:build unix

package regular

import (
	"io/fs"
	"os"
	"syscall"
)

// Owner returns the account that a file belongs to, -1 if the system does not say, and whether that is
// the person's or root. On Windows every file is the person's.
func Owner(fi fs.FileInfo) (uid int, mine bool) {
	stat, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return -1, true
	}
	uid = int(stat.Uid)
	return uid, uid == os.Geteuid() || uid == 0
}
