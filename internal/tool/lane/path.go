package lane

import (
	"path/filepath"
	"strings"
)

// fixed is a PATH without the entries that mean another directory wherever a command
// runs: `.`, `bin` and the empty one. By those a name that was judged as a program of
// the system is a file that a repository brought.
func fixed(path string) string {
	var kept []string
	for _, dir := range filepath.SplitList(path) {
		if filepath.IsAbs(dir) {
			kept = append(kept, dir)
		}
	}
	return strings.Join(kept, string(filepath.ListSeparator))
}
