package place

import (
	"path/filepath"
	"strings"
)

// osName is the name of the distribution whose files are below root.
func osName(root string) string {
	name := ""
	for _, file := range []string{"etc/os-release", "usr/lib/os-release"} {
		if src, err := readShort(filepath.Join(root, file)); err == nil {
			if name = release(src); name != "" {
				break
			}
		}
	}
	if name == "" {
		name = "Linux"
	}
	kernel, err := readShort(filepath.Join(root, "proc/sys/kernel/osrelease"))
	if err == nil && strings.Contains(strings.ToLower(kernel), "microsoft") {
		name += " in WSL"
	}
	return name
}
