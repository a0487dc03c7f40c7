package scrub

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"

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
// suffix. A missing one has nothing.
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
	var found Finding
	for _, err := range swapsOf(io.NewSectionReader(f, 0, stat.Size()), name, r, &found) {
		if err != nil {
			return Finding{}, err
		}
	}
	return found, nil
}

// Lines returns the lines of a session without what is to go.
func Lines(data []byte, r Rule) []byte {
	var out []byte
	from := int64(0)
	for s, err := range swapsOf(io.NewSectionReader(bytes.NewReader(data), 0, int64(len(data))), "", r, &Finding{}) {
		if err != nil {
			return data // there is none but of a reader
		}
		out = append(append(out, data[from:s.From]...), s.Text...)
		from = s.To
	}
	return append(out, data[from:]...)
}

// swapsOf yields what takes the place of what is to go of a session file, and notes in found what that is. It holds a line at
// a time.
func swapsOf(src *io.SectionReader, name string, r Rule, found *Finding) iter.Seq2[jsonl.Swap, error] {
	return func(yield func(jsonl.Swap, error) bool) {
		found.Session = name
		scope := ""
		for at, err := range session.Lines(src, name) {
			var s *jsonl.Swap
			if err == nil {
				if found.Session = at.Header.Session; at.Headed {
					scope = at.Header.Scope
				}
				if at.Turn != nil && at.Turn.Scope != "" {
					scope = at.Turn.Scope
				}
				s, err = swapOf(src, at, scope, r)
			}
			if err != nil {
				yield(jsonl.Swap{}, err)
				return
			}
			if s == nil {
				continue
			}
			if at.Turn != nil {
				found.Turns = append(found.Turns, at.Turn.N)
			}
			found.Lines++
			if !yield(*s, nil) {
				return
			}
		}
	}
}

// swapOf is what takes the place of a line of a session file that was said in scope; nil if it stays.
func swapOf(src io.ReaderAt, at session.Line, scope string, r Rule) (*jsonl.Swap, error) {
	has, text := holds(r.Holds), at.Text
	if text == nil && at.Len > 0 {
		return longLine(src, at, r)
	}
	var gone []byte
	switch {
	case at.Bad:
		if !has(text) {
			return nil, nil
		}
		gone = []byte(session.Gone) // not to be read either: the number that it may have had stays spent
	case at.Turn != nil:
		if !has(text) && (r.Turn == nil || !r.Turn(at.Header, *at.Turn, scope)) {
			return nil, nil
		}
		gone = has.turn(text)
	case has(text):
		gone = has.other(text)
	default:
		return nil, nil
	}
	if sameLine(text, gone) {
		return nil, nil
	}
	from := at.Offset + at.Len - int64(len(text)) // without a byte order mark
	return &jsonl.Swap{From: from, To: from + int64(len(bytes.TrimSuffix(text, []byte("\r")))), Text: gone}, nil
}

// longLine is what becomes of a line that is too long to be read; nil if it stays.
func longLine(src io.ReaderAt, line session.Line, r Rule) (*jsonl.Swap, error) {
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
	_, err = jsonl.Edit{Path: path, FS: f, KeepTime: true}.Swaps(ctx, func(src *io.SectionReader) iter.Seq2[jsonl.Swap, error] {
		return swapsOf(src, name, r, &found)
	})
	if err != nil {
		return found, fmt.Errorf("erase from session %s: %w", path, err)
	}
	return found, nil
}
