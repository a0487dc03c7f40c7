//go:build unix

package config

import "io/fs"

// openToAll reports whether everybody may replace what is in a directory.
func openToAll(dir fs.FileInfo) bool {
	return dir.Mode().Perm()&0o002 != 0 && dir.Mode()&fs.ModeSticky == 0
}
