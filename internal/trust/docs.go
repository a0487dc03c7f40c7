package trust

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"ken/internal/regular"
)

const (
	// MaxDoc is the largest doc that is read, in bytes.
	MaxDoc = 256 << 10
	// MaxDocs is how many docs of one repository are looked at, the nearest first.
	MaxDocs = 8
	// maxDirs is how many directories are looked through for them, up from where the
	// person stands.
	maxDirs = 64
)

// docNames are the files that a repository has for agents. In each directory the first of
// them that is there counts, whatever becomes of it.
func docNames() []string { return []string{"AGENTS.md", "CLAUDE.md", "GEMINI.md"} }

// IsText reports whether a path, with slashes, is that of a doc or a skill, and of no log.
func IsText(name string) bool { return strings.HasSuffix(name, ".md") }

// ReadDocs reads the docs of the repository whose top is top, for who stands at dir in it:
// those of dir and of the directories above it up to top, the nearest first. A doc that
// cannot be taken is there with Bad set, one without a word is not. An error is about all
// of them.
func ReadDocs(top, dir string) ([]File, error) {
	rel, err := filepath.Rel(top, dir)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(os.PathSeparator)) {
		return nil, nil // it is not in there
	}
	var root *os.Root
	var files []File
	at := filepath.ToSlash(rel)
	for range maxDirs {
		if name := docIn(filepath.Join(top, filepath.FromSlash(at))); name != "" {
			if root == nil {
				if root, err = os.OpenRoot(top); err != nil {
					return nil, fmt.Errorf("look for %s in %s: %w", name, top, err)
				}
				defer root.Close()
			}
			f := File{Doc: true, Path: path.Join(at, name)}
			f.Log = f.Path
			if f.Text, f.Bad = readDoc(root, f.Path); f.Bad == nil {
				f.SHA256 = sumOf(f.Text)
			}
			if f.Bad != nil || len(bytes.TrimSpace(f.Text)) > 0 {
				files = append(files, f)
			}
		}
		if at == "." || len(files) == MaxDocs {
			break
		}
		at = path.Dir(at)
	}
	return files, nil
}

// docIn is the name of the doc in a directory; "" if there is none.
func docIn(dir string) string {
	for _, name := range docNames() {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return name
		}
	}
	return ""
}

// readDoc reads a doc: a text of the person's account or of root. It waits for nothing, and
// follows links that stay in the repository.
func readDoc(root *os.Root, name string) ([]byte, error) {
	f, err := regular.OpenIn(root, name)
	switch {
	case errors.Is(err, regular.ErrNotFile):
		return nil, regular.ErrNotFile
	case leaves(err):
		return nil, errors.New("a link that leads out of the repository")
	case err != nil:
		return nil, regular.Cause(err)
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return nil, regular.Cause(err)
	}
	if uid, mine := regular.Owner(fi); !mine {
		return nil, fmt.Errorf("it belongs to another account (uid %d)", uid)
	}
	text, err := io.ReadAll(io.LimitReader(f, MaxDoc+1))
	switch {
	case err != nil:
		return nil, regular.Cause(err)
	case len(text) > MaxDoc:
		return nil, fmt.Errorf("more than the %d bytes that are read", MaxDoc)
	case !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0:
		return nil, errors.New("it is no text in UTF-8")
	}
	return text, nil
}

// leaves reports whether an error says that a path leads out of its root, for which
// package os has no value.
func leaves(err error) bool {
	pe := (*fs.PathError)(nil)
	return errors.As(err, &pe) && strings.Contains(pe.Err.Error(), "escapes from parent")
}

// Docs returns what b says about docs of a repository. here reports whether a scope is
// that of the repository.
func (b Decisions) Docs(files []File, here func(scope string) bool) []Brought {
	docs := make([]Brought, len(files))
	for i, f := range files {
		docs[i] = Brought{File: f, Standing: b.Of(f, here), Refused: f.Bad}
		docs[i].Clash = "" // every repository may have an AGENTS.md
	}
	return docs
}
