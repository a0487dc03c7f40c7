package session

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ken/internal/regular"
)

// ErrNone says that there is no such session.
var ErrNone = errors.New("no such session")

// An AmbiguousError says that what a person typed begins the names of several
// sessions.
type AmbiguousError struct {
	Prefix string
	Names  []string // sorted
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("session %q: which of %s", e.Prefix, strings.Join(e.Names, ", "))
}

// Find returns the path of the session that a person calls name: the name of
// its file (with or without suffix), its id, or what begins exactly one of
// these; in this order, and imported transcripts last. The error is ErrNone or
// an *AmbiguousError.
func (d Dir) Find(name string) (string, error) {
	name = strings.TrimSuffix(strings.TrimSpace(name), suffix)
	if name == "" {
		return "", fmt.Errorf("session %q: %w", name, ErrNone)
	}
	for _, dir := range []Dir{d, d.Imports()} {
		path, err := dir.find(name)
		if err != nil || path != "" {
			return path, err
		}
	}
	return "", fmt.Errorf("session %q: %w", name, ErrNone)
}

// find looks in one directory; "" if nothing there goes by the name.
func (d Dir) find(name string) (string, error) {
	files, err := d.files()
	if err != nil {
		return "", err
	}
	if i := slices.IndexFunc(files, func(f file) bool { return stem(f.path) == name }); i >= 0 {
		return files[i].path, nil
	}
	var path string
	var names []string
	for _, f := range files {
		id := stem(f.path)
		if !isID(id) { // a file that was never renamed has its id
			h, err := readHeader(f.path)
			if err != nil {
				continue // no session that could be meant; List reports why
			}
			id = h.Session
		}
		if id == name {
			return f.path, nil
		}
		if strings.HasPrefix(stem(f.path), name) || strings.HasPrefix(id, name) {
			path = f.path
			names = append(names, stem(f.path))
		}
	}
	if len(names) > 1 {
		slices.Sort(names)
		return "", &AmbiguousError{Prefix: name, Names: names}
	}
	return path, nil
}

// Latest returns the path and header of the session that was written to last (see
// List) among those whose header match accepts; nil match accepts any. The error is
// ErrNone if it accepts none.
func (d Dir) Latest(match func(Header) bool) (string, Header, error) {
	for path, h := range d.Newest() {
		if match == nil || match(h) {
			return path, h, nil
		}
	}
	_, err := d.files()
	return "", Header{}, cmp.Or(err, ErrNone)
}

// Newest yields the sessions that can be read with their headers, in the order of
// List. Of each no more is read than says when it was written to last. A directory
// that cannot be read yields none.
func (d Dir) Newest() iter.Seq2[string, Header] {
	return func(yield func(string, Header) bool) {
		files, err := d.files()
		if err != nil {
			return
		}
		type session struct {
			path   string
			header Header
			at     time.Time
		}
		var list []session
		for _, f := range files {
			if h, at, err := recent(f); err == nil {
				list = append(list, session{f.path, h, at})
			}
		}
		slices.SortStableFunc(list, func(a, b session) int { return b.at.Compare(a.at) })
		for _, s := range list {
			if !yield(s.path, s.header) {
				return
			}
		}
	}
}

// Gave yields the files of sessions that note what another assistant was given (Header.Agent), in the order of their names. Of
// others no more than the beginning is read. What cannot be read is left out; an error is that of the directory, and the last.
func (d Dir) Gave() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		var names []string
		err := d.Files(func(name string, fi fs.FileInfo) {
			if fi != nil {
				names = append(names, name)
			}
		})
		if err != nil {
			yield("", err)
			return
		}
		for _, name := range names {
			path := filepath.Join(d.Path, name)
			if h, err := firstHeader(path); err == nil && h.Agent != "" && !yield(path, nil) {
				return
			}
		}
	}
}

// firstHeader is the header of the session in a file if it is its first line, of the usual length; else it is zero.
func firstHeader(path string) (Header, error) {
	r, err := regular.Open(path)
	if err != nil {
		return Header{}, err
	}
	defer func() { _ = r.Close() }() // it was only read
	text, err := part(r, 0, 2*firstPart)
	end := bytes.IndexByte(text, '\n')
	if err != nil || end <= 0 || !bytes.Contains(text[:end], []byte(`"agent"`)) {
		return Header{}, err
	}
	if l, err := parseLine(text[:end]); err == nil && l.header != nil {
		return *l.header, nil
	}
	return Header{}, nil
}
