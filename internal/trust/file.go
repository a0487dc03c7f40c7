package trust

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"ken/internal/memory"
	"ken/internal/regular"
)

const (
	// MaxFile is the largest log that is read, in bytes: nobody reads more
	// before they say yes to it.
	MaxFile = 1 << 20
	// MaxFiles is how many logs of one repository are looked at, in the order
	// of their names.
	MaxFiles = 16
)

// dir is where a repository keeps its logs, and suffix how they end.
const (
	dir    = ".ken/memory"
	suffix = ".jsonl"
)

// PathOf returns the path of a log from the top of its repository.
func PathOf(log string) string { return path.Join(dir, log+suffix) }

// A File is one log of a repository, one doc, or one skill.
type File struct {
	Log    string // its name: that of the file without ".jsonl"; of a doc and a skill its path
	Doc    bool   // it is a doc
	Skill  bool   // it is a skill
	Path   string // from the top of the repository, with slashes
	Text   []byte // what it holds; nil if Bad is set
	SHA256 string // of Text, 64 hexadecimal digits
	Bad    error  // why it is refused
}

// Read reads the logs of the repository whose top is top. Each that cannot be
// taken is there with Bad set; an error is about all of them. Files that do not
// end in ".jsonl", and hidden ones, are none.
func Read(top string) ([]File, error) {
	root, err := os.OpenRoot(top)
	if err != nil {
		return nil, fmt.Errorf("look for memory in %s: %w", top, err)
	}
	defer root.Close()
	entries, err := fs.ReadDir(root.FS(), dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look for memory in %s: %w", top, err)
	}
	var files []File
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), suffix)
		if !ok || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		f := File{Log: name, Path: path.Join(dir, e.Name())}
		switch {
		case !validLog(name):
			f.Bad = errors.New("a log's name is 1 to 40 of a-z, 0-9 and -")
		case len(files) >= MaxFiles:
			f.Bad = fmt.Errorf("more than %d logs", MaxFiles)
		default:
			f.Text, f.Bad = readInside(root, f.Path)
		}
		if f.Bad == nil {
			f.SHA256 = sumOf(f.Text)
		}
		files = append(files, f)
	}
	return files, nil
}

// sumOf is the SHA-256 of a text, 64 hexadecimal digits.
func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// validLog reports whether a log may be called so.
func validLog(name string) bool {
	id, err := memory.ParseID(name + "/1")
	return err == nil && id.Log == name
}

// readInside reads a file that is no larger than it may be. Root follows links
// that stay inside.
func readInside(root *os.Root, name string) ([]byte, error) {
	text, err := regular.ReadIn(root, name, MaxFile)
	switch {
	case errors.Is(err, regular.ErrNotFile):
		return nil, regular.ErrNotFile
	case errors.Is(err, regular.ErrTooLong):
		return nil, fmt.Errorf("more than the %d bytes that are read", MaxFile)
	case err != nil:
		return nil, regular.Cause(err)
	}
	return text, nil
}

// lines are the lines of f without their ends, and without a byte order mark at
// the start.
func (f File) lines() [][]byte {
	text := bytes.TrimPrefix(f.Text, []byte("\ufeff"))
	if len(text) == 0 {
		return nil
	}
	return bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
}

// nameDigits is how many digits of a line's SHA-256 are its name: 96 bits, so
// that nobody finds a second line with the name of one that was let in.
const nameDigits = 24

// names are the names of the lines of f.
func (f File) names() []string {
	lines := f.lines()
	names := make([]string, len(lines))
	for i, l := range lines {
		sum := sha256.Sum256(l)
		names[i] = hex.EncodeToString(sum[:nameDigits/2])
	}
	return names
}
