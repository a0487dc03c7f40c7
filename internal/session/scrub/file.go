package scrub

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"ken/internal/jsonl"
	"ken/internal/regular"
	"ken/internal/session"
)

// A Rule says what is to go.
type Rule struct {
	// Holds reports whether bytes of a line, JSON or not, hold a text.
	Holds func([]byte) bool
	// Within is Holds for a line that is longer than one of a session may be; nil: such a
	// line is read whole.
	Within func(io.Reader) (bool, error)
	// Turn reports whether a turn goes whatever it says; scope is where it was
	// said. nil: none does.
	Turn func(h session.Header, t session.Turn, scope string) bool
}

// A Finding is what a file holds that is to go.
type Finding struct {
	Session string // its id
	Turns   []int  // the numbers of turns, in the order of the file
	Lines   int    // how many lines change, those of turns among them
}

// Look says what of the bytes of a session file is to go; name is the file's,
// without suffix.
func Look(data []byte, name string, r Rule) (Finding, error) {
	f, _, err := scrub(bytes.NewReader(data), int64(len(data)), name, r)
	return f, err
}

// LookInto is Look for the file at path; a missing one has nothing. It takes the memory
// of the turns, and not that of lines that cannot be read.
func LookInto(path, name string, r Rule) (Finding, error) {
	f, stat, err := open(path)
	if err != nil || f == nil {
		return Finding{}, err
	}
	defer f.Close()
	found, _, err := scrub(f, stat.Size(), name, r)
	return found, err
}

// Lines are the lines of a session without what is to go.
func Lines(data []byte, r Rule) []byte {
	src := bytes.NewReader(data)
	_, swaps, err := scrub(src, src.Size(), "", r)
	if err != nil || len(swaps) == 0 {
		return data
	}
	var out bytes.Buffer
	_ = write(&out, src, src.Size(), swaps) // a buffer takes everything
	return out.Bytes()
}

// write writes the first size bytes of src with the swaps done.
func write(w io.Writer, src io.ReaderAt, size int64, swaps []swap) error {
	from := int64(0)
	for _, s := range swaps {
		if _, err := io.Copy(w, io.NewSectionReader(src, from, s.from-from)); err != nil {
			return err
		}
		if _, err := w.Write(s.text); err != nil {
			return err
		}
		from = s.to
	}
	_, err := io.Copy(w, io.NewSectionReader(src, from, size-from))
	return err
}

// A swap puts text in the place of some bytes.
type swap struct {
	from, to int64
	text     []byte
}

func scrub(src io.ReaderAt, size int64, name string, r Rule) (Finding, []swap, error) {
	has := holds(r.Holds)
	t, err := session.Read(io.NewSectionReader(src, 0, size), name)
	if err != nil {
		return Finding{}, nil, err // there is none but of the reader
	}
	entries := make(map[int]session.Entry, len(t.Entries))
	for _, e := range t.Entries {
		entries[e.Line] = e
	}
	var bad []int
	for _, p := range t.Problems {
		if !p.Partly {
			bad = append(bad, p.Line)
		}
	}
	found := Finding{Session: t.Header.Session}
	var swaps []swap
	scope := t.Header.Scope
	for line, err := range jsonl.Lines(io.NewSectionReader(src, 0, size), session.MaxLine) {
		if err != nil {
			return Finding{}, nil, err
		}
		if line.Bytes == nil && line.Len > 0 {
			long, err := longLine(src, line, r)
			if err != nil {
				return Finding{}, nil, err
			}
			if long != nil {
				found.Lines++
				swaps = append(swaps, *long)
			}
			continue
		}
		text := line.Bytes
		from := line.Offset + line.Len - int64(len(text)) // without a byte order mark
		e, read := entries[line.Number]
		if e.Turn != nil && e.Turn.Scope != "" {
			scope = e.Turn.Scope
		}
		var gone []byte
		switch {
		case slices.Contains(bad, line.Number):
			if !has(text) {
				continue
			}
			gone = []byte(Gone) // not to be read either: the number that it may have had stays spent
		case read && e.Turn != nil:
			if !has(text) && (r.Turn == nil || !r.Turn(t.Header, *e.Turn, scope)) {
				continue
			}
			gone = has.turn(text)
		case has(text):
			gone = has.other(text)
		default:
			continue
		}
		if sameLine(text, gone) {
			continue
		}
		if e.Turn != nil {
			found.Turns = append(found.Turns, e.Turn.N)
		}
		found.Lines++
		swaps = append(swaps, swap{from, from + int64(len(bytes.TrimSuffix(text, []byte("\r")))), slices.Clone(gone)})
	}
	return found, swaps, nil
}

// longLine is what becomes of a line that is too long to be read; nil if it stays.
func longLine(src io.ReaderAt, line jsonl.Line, r Rule) (*swap, error) {
	whole := io.NewSectionReader(src, line.Offset, line.Len)
	var has bool
	var err error
	if r.Within != nil {
		has, err = r.Within(whole)
	} else {
		var text []byte
		text, err = io.ReadAll(whole)
		has = err == nil && r.Holds(text)
	}
	if err != nil || !has {
		return nil, err
	}
	to := line.Offset + line.Len
	end := make([]byte, 1)
	if _, err := src.ReadAt(end, to-1); err == nil && end[0] == '\r' {
		to--
	}
	return &swap{line.Offset, to, []byte(Gone)}, nil
}

// File takes what is to go out of the session file at path, and keeps the time at
// which it was last written to. The caller holds the lock under which the file is
// appended to. A file that holds nothing of it is not touched; a missing one has
// nothing.
func File(f jsonl.FS, path, name string, r Rule) (Finding, error) {
	found, err := rewrite(f, path, name, r)
	if err != nil {
		return found, fmt.Errorf("erase from session %s: %w", path, err)
	}
	return found, nil
}

func rewrite(sys jsonl.FS, path, name string, r Rule) (Finding, error) {
	f, stat, err := open(path)
	if err != nil || f == nil {
		return Finding{}, err
	}
	defer f.Close()
	found, swaps, err := scrub(f, stat.Size(), name, r)
	if err != nil || len(swaps) == 0 {
		return found, err
	}
	err = jsonl.Rewrite(sys, path, stat, func(w io.Writer) error { return write(w, f, stat.Size(), swaps) })
	if err != nil {
		return found, err
	}
	return found, os.Chtimes(path, stat.ModTime(), stat.ModTime())
}

// open opens the file at path; nil if there is none.
func open(path string) (*os.File, fs.FileInfo, error) {
	f, err := regular.Open(path)
	if os.IsNotExist(err) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	stat, err := f.Stat()
	if err != nil {
		_ = f.Close() // it was only read
		return nil, nil, err
	}
	return f, stat, nil
}

// Load reads a file whole, with what Stat said of it; nil if there is none.
func Load(path string) ([]byte, fs.FileInfo, error) {
	f, stat, err := open(path)
	if err != nil || f == nil {
		return nil, nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	return data, stat, err
}
