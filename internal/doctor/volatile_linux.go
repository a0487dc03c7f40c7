package doctor

import "golang.org/x/sys/unix"

// volatile names the kind of file system at dir if it is none to keep a memory
// on; "" for any other.
func volatile(dir string) string {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return ""
	}
	switch int64(s.Type) {
	case unix.TMPFS_MAGIC, unix.RAMFS_MAGIC:
		return "a file system in memory (it is gone after a restart)"
	case unix.NFS_SUPER_MAGIC, unix.SMB_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC:
		return "a network file system (locks may not hold there)"
	}
	return ""
}
