package live

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ken/internal/index"
	"ken/internal/index/segment"
	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/regular"
	"ken/internal/session"
)

// A said is one conversation: which file it is in, and what can be found of it.
type said struct {
	path  string
	dir   session.Dir
	stamp jsonl.Stamp // zero if a later change might not show in it

	id      string // of the session
	warning string // of session.Transcript
	err     error  // it could not be read
	docs    []index.Document
	lines   []session.Entry // by document: its line
}

// list lists the files of conversations, with their stamps, by path.
func list(dirs []session.Dir, now time.Time) ([]*said, error) {
	var list []*said
	for _, dir := range dirs {
		paths, err := dir.Paths()
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			s := &said{path: path, dir: dir}
			if stamp, sure := jsonl.StampAt(path, now); sure {
				s.stamp = stamp
			}
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b *said) int { return strings.Compare(a.path, b.path) })
	return list, nil
}

// read reads a conversation from its file: its turns and commands, whatever is
// forgotten.
func (s *said) read() {
	t, err := s.dir.Load(s.path)
	if err != nil {
		s.err = err
		return
	}
	s.id, s.warning = t.Header.Session, t.Warning()
	s.docs = append(index.Turns(t, memory.Hidden{}), index.RanCommands(t, memory.Hidden{})...)
	turns, ran := make(map[string]session.Entry), make(map[string]session.Entry)
	for _, e := range t.Entries {
		if e.Turn != nil {
			turns[session.Ref{Session: s.id, Turn: e.Turn.N}.String()] = e
		} else if e.Event.Name == session.EventExec {
			ran[e.Event.Text("cmd")] = e
		}
	}
	s.lines = make([]session.Entry, len(s.docs))
	for n, d := range s.docs {
		s.lines[n] = turns[d.Ref]
		if d.In == index.Commands {
			s.lines[n] = ran[d.Content]
		}
	}
}

// visible are the documents that are not forgotten.
func (s *said) visible(f Forgotten) []index.Document {
	return slices.DeleteFunc(slices.Clone(s.docs), func(d index.Document) bool { return f.hides(s.id, &d) })
}

// readSaid reads the document of a line of a conversation again. scope is what the
// line does not say by itself.
func readSaid(path string, l segment.Locator, scope string) (*index.Document, error) {
	f, err := regular.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", index.ErrChanged, err)
	}
	defer func() { _ = f.Close() }() // it was only read
	if len(l.Lines) != 1 {
		return nil, segment.ErrCorrupt
	}
	line := make([]byte, l.Lines[0].Length)
	if _, err := f.ReadAt(line, l.Lines[0].Offset); err != nil {
		return nil, fmt.Errorf("%w: %w", index.ErrChanged, err)
	}
	if segment.SumOf(line) != l.Lines[0].Sum {
		return nil, fmt.Errorf("%s: %w", path, index.ErrChanged)
	}
	header, err := headerOf(f)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", index.ErrChanged, err)
	}
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	head, err := session.Read(bytes.NewReader(header), name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	t, err := session.Read(bytes.NewReader(line), name)
	if err != nil || len(t.Entries) != 1 {
		return nil, fmt.Errorf("%s: %w", path, index.ErrChanged)
	}
	e := t.Entries[0]
	if e.Turn == nil {
		d := index.Ran(head.Header, *e.Event, scope)
		return &d, nil
	}
	of, err := session.ParseRef(l.Ref)
	if err != nil {
		return nil, err
	}
	e.Turn.N = of.Turn // a line without number has its place among the turns
	d := index.Said(head.Header, *e.Turn, scope)
	return &d, nil
}

// mostHeader is how many bytes are read at first to have a header: the half of what a hit
// of a search costs would be room for more.
const mostHeader = 1 << 10

// mostFile is more than any file has.
const mostFile = 1 << 62

// headerOf is the header of a file, the first line that is not blank; nil if there is none.
func headerOf(f io.ReaderAt) ([]byte, error) {
	for _, n := range [...]int64{mostHeader, mostFile} {
		for head, err := range jsonl.Lines(io.NewSectionReader(f, 0, n), session.MaxLine) {
			if err != nil {
				return nil, err
			}
			if (head.Ended || n == mostFile) && len(bytes.TrimSpace(head.Bytes)) > 0 {
				return bytes.Clone(head.Bytes), nil
			}
		}
	}
	return nil, nil
}
