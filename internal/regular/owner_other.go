//go:build !unix

package regular

import "io/fs"

// Owner returns -1 and true: on this system every file is the person's.
func Owner(fs.FileInfo) (uid int, mine bool) { return -1, true }
