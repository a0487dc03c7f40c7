//go:build !unix

package trust

import "io/fs"

func ownerOf(fs.FileInfo) (uid int, mine bool) { return -1, true }
