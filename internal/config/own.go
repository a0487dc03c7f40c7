package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"ken/internal/regular"
)

// Own says whether a file is the person's, so that what it says counts: nil, also where
// there is none; else an error with a Hint. A file of another account is not (of root it
// is), nor is one in a directory that everybody may write to, unless there, as in /tmp,
// nobody can replace what is another's. It is asked of files that allow something, before
// they are read. On Windows every file counts.
func Own(path string) error {
	fi, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return nil
	case err != nil:
		return nil // whoever reads it reports that
	}
	if uid, mine := regular.Owner(fi); !mine {
		return &hinted{fmt.Errorf("%s belongs to another account (uid %d): what it says does not count", path, uid), "if it is yours: chown it; else take it away"}
	}
	link, err := os.Lstat(path)
	if err == nil {
		if uid, mine := regular.Owner(link); !mine {
			return &hinted{fmt.Errorf("%s is a link of another account (uid %d): what it says does not count", path, uid), "take the link away"}
		}
	}
	dir := filepath.Dir(path)
	if up, err := os.Stat(dir); err == nil && openToAll(up) {
		return &hinted{fmt.Errorf("everybody may write to %s: what %s says does not count", dir, filepath.Base(path)), "chmod o-w " + dir}
	}
	return nil
}

// Own says whether the files that allow something or speak for the person are theirs:
// settings, policies, the profile and the recent context, and what belongs to this device. The error
// names the first that is not. The files but are left out.
func (p Paths) Own(but ...string) error {
	var files []string
	for _, f := range p.Files() {
		switch {
		case !f.Grants || slices.Contains(but, f.Path):
		case f.Names == "":
			files = append(files, f.Path)
		default:
			several, err := filepath.Glob(filepath.Join(f.Path, f.Names))
			if err == nil {
				files = append(files, several...)
			}
		}
	}
	for _, file := range files {
		if err := Own(file); err != nil {
			return err
		}
	}
	return nil
}
