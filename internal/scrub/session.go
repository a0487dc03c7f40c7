package scrub

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
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

// LookInto returns what of the session file at path is to go; name is the file's, without
// suffix. A missing one has nothing. It takes the memory of the turns, and not that of
// lines that cannot be read.
func LookInto(path, name string, r Rule) (Finding, error) {
	f, err := regular.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Finding{}, nil
	}
	if err != nil {
		return Finding{}, err
	}
	defer func() { _ = f.Close() }() // it was only read
	stat, err := f.Stat()
	if err != nil {
		return Finding{}, err
	}
	found, _, err := swapsOf(io.NewSectionReader(f, 0, stat.Size()), name, r)
	return found, err
}

// Lines returns the lines of a session without what is to go.
func Lines(data []byte, r Rule) []byte {
	src := io.NewSectionReader(bytes.NewReader(data), 0, int64(len(data)))
	_, swaps, err := swapsOf(src, "", r)
	if err != nil || len(swaps) == 0 {
		return data
	}
	var out bytes.Buffer
	_ = jsonl.WriteSwapped(&out, src, swaps) // a buffer takes everything
	return out.Bytes()
}

// swapsOf finds what of a session file is to go, and what takes its place.
func swapsOf(src *io.SectionReader, name string, r Rule) (Finding, []jsonl.Swap, error) {
	has := holds(r.Holds)
	t, err := session.Read(io.NewSectionReader(src, 0, src.Size()), name)
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
	var swaps []jsonl.Swap
	scope := t.Header.Scope
	for line, err := range jsonl.Lines(io.NewSectionReader(src, 0, src.Size()), session.MaxLine) {
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
			gone = []byte(session.Gone) // not to be read either: the number that it may have had stays spent
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
		swaps = append(swaps, jsonl.Swap{From: from, To: from + int64(len(bytes.TrimSuffix(text, []byte("\r")))), Text: slices.Clone(gone)})
	}
	return found, swaps, nil
}

// longLine is what becomes of a line that is too long to be read; nil if it stays.
func longLine(src io.ReaderAt, line jsonl.Line, r Rule) (*jsonl.Swap, error) {
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
	return &jsonl.Swap{From: line.Offset, To: to, Text: []byte(session.Gone)}, nil
}

// File takes what is to go out of the session file at path, and keeps the time at
// which it was last written to. The caller holds the lock under which the file is
// appended to. A file that holds nothing of it is not touched; a missing one has
// nothing.
func File(ctx context.Context, f jsonl.FS, path, name string, r Rule) (found Finding, err error) {
	_, err = jsonl.Edit{Path: path, FS: f, KeepTime: true}.Swaps(ctx, func(src *io.SectionReader) (swaps []jsonl.Swap, err error) {
		found, swaps, err = swapsOf(src, name, r)
		return swaps, err
	})
	if err != nil {
		return found, fmt.Errorf("erase from session %s: %w", path, err)
	}
	return found, nil
}
