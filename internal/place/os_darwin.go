package place

import "path/filepath"

// osName is macOS with the version that the system below root says it is.
func osName(root string) string {
	src, err := readShort(filepath.Join(root, "System/Library/CoreServices/SystemVersion.plist"))
	if version := productVersion(src); err == nil && version != "" {
		return "macOS " + version
	}
	return "macOS"
}
