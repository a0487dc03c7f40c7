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
	f, _, err := scrub(data, name, r)
	return f, err
}

// Lines are the lines of a session without what is to go.
func Lines(data []byte, r Rule) []byte {
	_, swaps, err := scrub(data, "", r)
	if err != nil || len(swaps) == 0 {
		return data
	}
	var out bytes.Buffer
	_ = write(&out, data, swaps) // a buffer takes everything
	return out.Bytes()
}

// write writes data with the swaps done.
func write(w io.Writer, data []byte, swaps []swap) error {
	from := int64(0)
	for _, s := range swaps {
		if _, err := w.Write(data[from:s.from]); err != nil {
			return err
		}
		if _, err := w.Write(s.text); err != nil {
			return err
		}
		from = s.to
	}
	_, err := w.Write(data[from:])
	return err
}

// A swap puts text in the place of some bytes.
type swap struct {
	from, to int64
	text     []byte
}

func scrub(data []byte, name string, r Rule) (Finding, []swap, error) {
	has := holds(r.Holds)
	t, err := session.Read(bytes.NewReader(data), name)
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
	for line, err := range jsonl.Lines(bytes.NewReader(data), session.MaxLine) {
		if err != nil {
			return Finding{}, nil, err
		}
		from, to := line.Offset, line.Offset+line.Len
		text := data[from:to]
		if line.Bytes != nil { // without a byte order mark
			from += line.Len - int64(len(line.Bytes))
			text = data[from:to]
		}
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
		swaps = append(swaps, swap{from, from + int64(len(bytes.TrimSuffix(text, []byte("\r")))), gone})
	}
	return found, swaps, nil
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

func rewrite(f jsonl.FS, path, name string, r Rule) (Finding, error) {
	data, stat, err := Load(path)
	if err != nil || stat == nil {
		return Finding{}, err
	}
	found, swaps, err := scrub(data, name, r)
	if err != nil || len(swaps) == 0 {
		return found, err
	}
	err = jsonl.Rewrite(f, path, stat, func(w io.Writer) error { return write(w, data, swaps) })
	if err != nil {
		return found, err
	}
	return found, os.Chtimes(path, stat.ModTime(), stat.ModTime())
}

// Load reads a file whole, with what Stat said of it; nil if there is none.
func Load(path string) ([]byte, fs.FileInfo, error) {
	f, err := regular.Open(path)
	if os.IsNotExist(err) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	stat, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	data, err := io.ReadAll(f)
	return data, stat, err
}
