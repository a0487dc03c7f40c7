package session

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
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
	Header  Header    // Header.Session is the id, also of a file without header
	Written time.Time // when it was written to last, see Dir.List
	Said    time.Time // when the last turn was said; zero if that has no time, or there is none
	Size    int64     // in bytes
	Turns   int       // how many turns the file has
	First   string    // what it began with, see Transcript.First
	FirstN  int       // the turn that First is of; 0 if there is none
	Title   string    // what it is called, see Transcript.Title
}

// OneShot reports whether the session is a question with its answer, and no
// conversation.
func (l Listing) OneShot() bool { return l.Header.Channel == ChannelAsk && l.Turns <= 2 }

// Given reports whether the session notes what another assistant was given, and nothing was said in it.
func (l Listing) Given() bool { return l.Header.Agent != "" && l.Turns == 0 }

// List returns the sessions in d.Path, the one that was written to last first: by
// the last line of it that has a time, or by when it was begun. The time of the file
// decides only between equal ones, and where no line has a time: programs that copy,
// restore or touch files change it.
//
// Files that cannot be read are left out, each with an error among the
// warnings; so are empty ones, without. A missing directory has no sessions.
// Imported transcripts are not among them: see Imports.
//
// Turns counts the lines with a role, some of which Load may refuse to read.
//
// Each file is read line by line, and of a long line no more is held than says what it is: a list costs as much memory
// beside a session of any size.
func (d Dir) List() (list []Listing, warnings []error, err error) {
	files, err := d.files()
	if err != nil {
		return nil, nil, err
	}
	list = make([]Listing, 0, len(files))
	for _, f := range files {
		l, err := listed(f)
		if err != nil {
			warnings = append(warnings, err)
			continue
		}
		list = append(list, l)
	}
	slices.SortStableFunc(list, func(a, b Listing) int { return b.Written.Compare(a.Written) })
	return list, warnings, nil
}

// Look returns what List says of the session file at path.
func Look(path string) (Listing, error) {
	fi, err := regular.Stat(path)
	if err != nil {
		return Listing{}, fmt.Errorf("list session: %w", err)
	}
	if fi == nil {
		return Listing{}, fmt.Errorf("list session: %s: %w", path, ErrNone)
	}
	return listed(file{path, fi.ModTime(), fi.Size()})
}

// listed reads what a list says of the session in f, in memory that does not grow with it.
func listed(f file) (Listing, error) {
	r, err := regular.Open(f.path)
	if err != nil {
		return Listing{}, fmt.Errorf("list session: %w", err)
	}
	defer func() { _ = r.Close() }() // it was only read
	l := Listing{Name: stem(f.path), Path: f.path, Size: f.size}
	src, err := section(r)
	if err == nil {
		err = l.scan(src)
	}
	var last time.Time
	if err == nil {
		last, l.Said, err = lastTimes(src, l.Turns > 0)
	}
	if err != nil {
		return Listing{}, fmt.Errorf("list session: %w", err)
	}
	l.Written = written(l.Header, last, f)
	return l, nil
}

// Each yields what List returns while it is read, so that the first ones are there at
// once however many there are: mostly the one that began last first. What cannot be read is an
// error among them.
func (d Dir) Each() iter.Seq2[Listing, error] {
	return func(yield func(Listing, error) bool) {
		entries, err := os.ReadDir(d.Path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			yield(Listing{}, fmt.Errorf("list sessions: %w", err))
			return
		}
		for _, e := range slices.Backward(entries) {
			f, ok := d.candidate(e)
			if !ok {
				continue
			}
			if l, err := listed(f); !yield(l, err) {
				return
			}
		}
	}
}

// Paths returns the files in d.Path, the one whose file is the newest first.
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
		if f, ok := d.candidate(e); ok {
			files = append(files, f)
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

// candidate is the file of e, if it may be a session.
func (d Dir) candidate(e fs.DirEntry) (file, bool) {
	if !calledSo(e) {
		return file{}, false
	}
	path := filepath.Join(d.Path, e.Name())
	fi, err := os.Stat(path) // of a symbolic link, what it points to
	switch {
	case err == nil:
		return file{path, fi.ModTime(), fi.Size()}, mayBe(fi)
	case errors.Is(err, fs.ErrNotExist): // removed meanwhile, or pointing nowhere
		return file{}, false
	}
	return file{path: path}, true // whoever reads it gets the error
}

// calledSo reports whether e is called as a session is.
func calledSo(e fs.DirEntry) bool { return strings.HasSuffix(e.Name(), suffix) && e.Name()[0] != '.' }

// mayBe reports whether a file may be a session, by what the system says of it.
func mayBe(fi fs.FileInfo) bool { return fi.Size() > 0 || !fi.Mode().IsRegular() }

// Files calls yield for each file in d.Path that may be a session, by name, with its name and
// what the system says of it: nil if it does not say, and whoever reads it gets the error. It looks at
// each of them once, from the directory: there are thousands, and most of what a look at one
// costs is the way to it.
func (d Dir) Files(yield func(name string, fi fs.FileInfo)) error {
	entries, err := os.ReadDir(d.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("list sessions: %w", err)
	}
	root, err := os.OpenRoot(d.Path)
	if err == nil {
		defer func() { _ = root.Close() }() // nothing was written
	}
	look := func(name string) (fs.FileInfo, error) {
		if root != nil {
			if fi, err := root.Lstat(name); err == nil && fi.Mode().Type()&fs.ModeSymlink == 0 {
				return fi, nil
			}
		}
		return os.Stat(filepath.Join(d.Path, name)) // of a symbolic link, what it points to
	}
	for _, e := range entries {
		if !calledSo(e) {
			continue
		}
		fi, err := look(e.Name())
		switch {
		case err == nil && mayBe(fi):
			yield(e.Name(), fi)
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			yield(e.Name(), nil)
		}
	}
	return nil
}

// scan counts and looks for the header and the title. Of most lines it only
// looks what they are.
func (l *Listing) scan(src *io.SectionReader) error {
	begun := false // the header, a turn or an event was there
	given := ""    // by the person
	for g, err := range glances(src) {
		if err != nil {
			return err
		}
		if !begun || g.kind == "role" && l.First == "" {
			parsed, err := g.parse()
			switch {
			case err != nil:
				continue
			case g.kind == "meta" && !begun:
				l.Header = *parsed.header
			case g.kind == "role" && parsed.turn.ByPerson():
				if l.First = title(parsed.turn.Content); l.First != "" {
					l.FirstN = cmp.Or(parsed.turn.N, l.Turns+1)
				}
			}
			begun = true
		}
		switch {
		case g.kind == "role":
			l.Turns++
		case g.kind == "event" && isTitle(g.fields):
			if parsed, err := g.parse(); err == nil && parsed.event != nil {
				given = cleanTitle(parsed.event.Text("title"))
			}
		}
	}
	l.Title = cmp.Or(given, l.First)
	l.Header.Session = cmp.Or(l.Header.Session, l.Name)
	return nil
}

// isTitle reports whether the fields of an event are those of a title.
func isTitle(fields []jsonl.Field) bool {
	for _, f := range slices.Backward(fields) {
		if string(f.Name) == "event" {
			return string(f.Value) == `"`+eventTitle+`"`
		}
	}
	return false
}

// written is when the session in f was written to last, of which last is what its
// lines say.
func written(h Header, last time.Time, f file) time.Time {
	if h.Started.After(last) { // a copy begins later than what it copies
		last = h.Started
	}
	if last.IsZero() {
		return f.mod
	}
	return last
}

// lastTimes returns the time of the last whole line of src that has one, and of the last turn if turns says that there may be
// one; zero if there is none. It reads from the end, and no more than it must.
func lastTimes(src *io.SectionReader, turns bool) (last, said time.Time, err error) {
	timed := false
	for l, err := range jsonl.LinesBack(src, src.Size(), longLine) {
		if err != nil {
			return last, said, err
		}
		kind, fields, err := look(src, l, nil)
		if errors.Is(err, errLine) {
			continue
		}
		if err != nil {
			return last, said, err
		}
		got, err := parseFields(kind, fields)
		var at time.Time
		switch {
		case err != nil:
			continue
		case got.turn != nil:
			if at = got.turn.Time; turns {
				said, turns = at, false
			}
		case got.event != nil && got.event.Name != eventTitle && got.event.Name != eventFeedback:
			// To call it otherwise, or to say what became of it, is not to go on with it.
			at = got.event.Time
		}
		if !timed && !at.IsZero() {
			last, timed = at, true
		}
		if timed && !turns {
			break
		}
	}
	return last, said, nil
}

// recent reads of a session no more than says when it was written to last.
func recent(f file) (Header, time.Time, error) {
	r, err := regular.Open(f.path)
	if err != nil {
		return Header{}, time.Time{}, err
	}
	defer func() { _ = r.Close() }() // it was only read
	var h Header
	text, err := part(r, 0, min(f.size, firstPart))
	if end := bytes.IndexByte(text, '\n'); err == nil && end > 0 {
		if l, err := parseLine(text[:end]); err == nil && l.header != nil {
			h = *l.header
			h.Session = cmp.Or(h.Session, stem(f.path))
		}
	}
	if h.Session == "" { // not the usual file
		if h, err = readHeader(f.path); err != nil {
			return h, time.Time{}, err
		}
	}
	src, err := section(r)
	if err != nil {
		return h, time.Time{}, err
	}
	last, _, err := lastTimes(src, false)
	return h, written(h, last, f), err
}

// firstPart is how much of a session is looked at first, in bytes: mostly enough.
const firstPart = 4 << 10

// part reads n bytes of r, or as many as there are.
func part(r io.ReaderAt, from, n int64) ([]byte, error) {
	b := make([]byte, n)
	got, err := r.ReadAt(b, from)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return b[:got], err
}
