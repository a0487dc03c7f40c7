//go:build linux || darwin

package jsonl

import (
	"io/fs"
	"syscall"
)

// StampOf returns the stamp of what os.Stat said. It reports false where the
// system has no such thing.
func StampOf(fi fs.FileInfo) (s Stamp, ok bool) {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		s = Stamp{Dev: uint64(st.Dev), Ino: st.Ino, Size: st.Size}
		s.Mtime, s.Ctime = times(st)
		return s, true
	}
	return s, false
}

// ownership gives the owner of a file and how many names it has.
func ownership(fi fs.FileInfo) (uid, gid int, links uint64, ok bool) {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return int(st.Uid), int(st.Gid), uint64(st.Nlink), true
	}
	return 0, 0, 0, false
}
