package gate

import (
	"io/fs"
	"runtime"
)

// othersWrite reports whether somebody else could have written the file. Windows
// does not say so in the mode.
func othersWrite(mode fs.FileMode) bool {
	return runtime.GOOS != "windows" && mode.Perm()&0o022 != 0
}
