package jsonl

import (
	"errors"
	"io/fs"
	"os"
)

// A Seen is a file as it was when somebody looked: for a process that has read a file
// and asks later whether it has to read it again. What is kept beside a derived file
// is a Stamp. The zero Seen is of a file that is not there.
//
// Two looks at a file that lies still are Unchanged. One that was changed is not, but
// for a change of the same length within a tick of the file system's clock: whoever
// has to know that too keeps a Stamp, and asks whether it is Settled. The time of what
// else is known of a file (its mode, its names) does not count, since nothing read
// goes stale by that.
type Seen struct{ fi fs.FileInfo }

// SeenAs returns what Stat said of a file, nil if there was none.
func SeenAs(fi fs.FileInfo) Seen { return Seen{fi} }

// See looks at the file at path, through symbolic links. None there is no error.
func See(path string) (Seen, error) {
	fi, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Seen{}, nil
	}
	return Seen{fi}, err
}

// Exists reports whether there was a file.
func (s Seen) Exists() bool { return s.fi != nil }

// Unchanged reports whether now is what was seen: the same file, of the same length and
// with the same time of change, or still none.
func (s Seen) Unchanged(now Seen) bool {
	if !s.Exists() || !now.Exists() {
		return s.Exists() == now.Exists()
	}
	return os.SameFile(s.fi, now.fi) && s.fi.Size() == now.fi.Size() && s.fi.ModTime().Equal(now.fi.ModTime())
}
