package connect

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Missing are the directories that are to be made for the file of a change, the outermost first.
func (c Change) Missing() (dirs []string) {
	for dir := filepath.Dir(c.Path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		dirs = append(dirs, dir)
	}
	slices.Reverse(dirs)
	return dirs
}

// Clear removes those of dirs in which the file of a change stood and nothing is left, and returns all that are still there. A
// directory that somebody has put a link in the place of stays.
func Clear(dirs []string, changes []Change) (left []string) {
	above := make(map[string]bool)
	for _, c := range changes {
		for dir := filepath.Dir(c.Path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
			above[dir] = true
		}
	}
	dirs = slices.Compact(slices.Sorted(slices.Values(dirs)))
	for _, dir := range slices.Backward(dirs) { // what is in another one comes first
		fi, err := os.Lstat(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil || !fi.IsDir() || !above[dir] || os.Remove(dir) != nil {
			left = append(left, dir)
		}
	}
	slices.Reverse(left)
	return left
}
