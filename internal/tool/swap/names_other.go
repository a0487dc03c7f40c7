//go:build !unix && !windows

package swap

import (
	"io/fs"
	"os"
)

// Names is how many names the file fi at a path has: not known here.
func Names(string, fs.FileInfo) int { return 1 }

func sameOwner(*os.File, fs.FileInfo) error { return nil }
