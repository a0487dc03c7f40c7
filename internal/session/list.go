package session

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ken/internal/jsonl"
	"ken/internal/regular"
)

// A Listing is what a list says of one session.
type Listing struct {
	Name    string // the file's name without suffix
	Path    string
	Header  Header // Header.Session is the id, also of a file without header
	ModTime time.Time
	Size    int64  // in bytes
	Turns   int    // how many turns the file has
	First   string // what it began with, see Transcript.Title
}

// OneShot reports whether the session is a question with its answer, and no
// conversation.
func (l Listing) OneShot() bool { return l.Header.Channel == ChannelAsk && l.Turns <= 2 }

// List returns the sessions in d.Path, the one that was written to last first.
// Files that cannot be read are left out, each with an error among the
// warnings; so are empty ones, without. A missing directory has no sessions.
// Imported transcripts are not among them: see Imports.
//
// Turns counts the lines with a role, some of which Load may refuse to read.
func (d Dir) List() (list []Listing, warnings []error, err error) {
	files, err := d.files()
	if err != nil {
		return nil, nil, err
	}
	list = make([]Listing, 0, len(files))
	for _, f := range files {
		b, err := regular.Read(f.path, math.MaxInt64-1)
		if err != nil {
			warnings = append(warnings, fmt.Errorf("list session: %w", err))
			continue
		}
		l := Listing{Name: stem(f.path), Path: f.path, ModTime: f.mod, Size: f.size}
		l.scan(b)
		list = append(list, l)
	}
	return list, warnings, nil
}

// Paths returns the files in d.Path, in the order of List.
func (d Dir) Paths() ([]string, error) {
	files, err := d.files()
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = f.path
	}
	return paths, err
}

type file struct {
	path string
	mod  time.Time
	size int64 // in bytes
}

// files returns the files of d that may be sessions, newest first. Names that
// begin with a dot are temporary.
func (d Dir) files() ([]file, error) {
	entries, err := os.ReadDir(d.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	var files []file
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), suffix) || e.Name()[0] == '.' {
			continue
		}
		path := filepath.Join(d.Path, e.Name())
		fi, err := os.Stat(path) // of a symbolic link, what it points to
		switch {
		case err == nil && (fi.Size() > 0 || !fi.Mode().IsRegular()):
			files = append(files, file{path, fi.ModTime(), fi.Size()})
		case err != nil && !errors.Is(err, fs.ErrNotExist): // removed meanwhile, or pointing nowhere
			files = append(files, file{path: path}) // whoever reads it gets the error
		}
	}
	slices.SortFunc(files, func(a, b file) int {
		if c := b.mod.Compare(a.mod); c != 0 {
			return c
		}
		return strings.Compare(b.path, a.path)
	})
	return files, nil
}

// scan counts and looks for the header and the title. Of most lines it only
// looks what they are.
func (l *Listing) scan(b []byte) {
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	var fields []jsonl.Field
	begun := false // the header, a turn or an event was there
	for text := range bytes.Lines(b) {
		kind, got, err := scanLine(text, fields[:0])
		if err != nil {
			continue
		}
		fields = got
		if !begun || kind == "role" && l.First == "" {
			parsed, err := parseFields(kind, fields)
			switch {
			case err != nil:
				continue
			case kind == "meta" && !begun:
				l.Header = *parsed.header
			case kind == "role" && parsed.turn.Role == RoleUser:
				l.First = title(parsed.turn.Content)
			}
			begun = true
		}
		if kind == "role" {
			l.Turns++
		}
	}
	l.Header.Session = cmp.Or(l.Header.Session, l.Name)
}
