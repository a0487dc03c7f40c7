package regular

import (
	"os"
	"path/filepath"
	"strings"
)

// Expand returns a path with the home directory in the place of a "~" that is all of it or its first part: "~/src", clean. Any
// other path is returned as it is: another person's home ("~ann") is not looked up. ok is false, and the path as it was, where
// it depends on a home and home is no absolute path.
func Expand(path, home string) (full string, ok bool) {
	rest, tilde := strings.CutPrefix(path, "~")
	if !tilde || rest != "" && !os.IsPathSeparator(rest[0]) {
		return path, true
	}
	if !filepath.IsAbs(home) {
		return path, false
	}
	return filepath.Join(home, rest), true
}

// Short undoes Expand: it returns a clean path as people write it, with "~" for the home directory. Where home is no absolute
// path, or the path is elsewhere, it is returned as it is.
func Short(path, home string) string {
	home = strings.TrimRight(filepath.Clean(home), string(os.PathSeparator)) // "" is the root
	rest, below := strings.CutPrefix(path, home)
	if !filepath.IsAbs(home+string(os.PathSeparator)) || !below || rest != "" && !os.IsPathSeparator(rest[0]) {
		return path
	}
	return strings.TrimRight("~"+rest, string(os.PathSeparator))
}
