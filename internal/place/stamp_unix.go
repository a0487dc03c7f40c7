//go:build unix

package place

import (
	"fmt"
	"io/fs"
	"syscall"
)

// stampOf is the device and the number of a directory on it.
func stampOf(fi fs.FileInfo) string {
	stat, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%d:%d", stat.Dev, stat.Ino)
}
