//go:build !linux && !darwin && !windows

package place

import (
	"path/filepath"
	"runtime"
)

// osName is the name of the system, as its file os-release has it where there is one.
func osName(root string) string {
	if src, err := readShort(filepath.Join(root, "etc/os-release")); err == nil {
		if name := release(src); name != "" {
			return name
		}
	}
	return runtime.GOOS
}
