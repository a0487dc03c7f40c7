package live

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
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
	saidFile
	in    *session.Dir
	stamp jsonl.Stamp // zero if a later change might not show in it
	taken bool        // a segment has it as it is

	id      string // of the session
	warning string // of session.Transcript
	err     error  // it could not be read
	docs    []index.Document
	lines   []session.Entry // by document: its line
}

// list lists the files of conversations, with their stamps, by directory and name. Each
// file is asked for once what it is.
func list(dirs []session.Dir, now time.Time) ([]said, error) {
	var list []said
	for i := range dirs {
		dir := &dirs[i]
		err := dir.Files(func(name string, fi fs.FileInfo) {
			s := said{saidFile: saidFile{dir.Path, name}, in: dir}
			if fi != nil {
				if stamp, ok := jsonl.StampOf(fi); ok && stamp.Settled(now) {
					s.stamp = stamp
				}
			}
			list = append(list, s)
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// read reads a conversation from its file: its turns and commands, whatever is
// forgotten.
func (s *said) read() {
	t, err := s.in.Load(s.path())
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

// headers are those of files whose lines were read, each as long as its file has the same
// stamp, if that was to be believed: of ten hits several are of one conversation.
type headers struct {
	clock func() time.Time
	mu    sync.Mutex
	of    map[string]knownHeader
}

type knownHeader struct {
	stamp jsonl.Stamp
	session.Header
}

// get is the header of a file, which is open.
func (h *headers) get(f *os.File) (session.Header, error) {
	var stamp jsonl.Stamp // zero if a later change might not show in it
	now := h.clock()
	if fi, err := f.Stat(); err == nil {
		if s, ok := jsonl.StampOf(fi); ok && s.Settled(now) {
			stamp = s
		}
	}
	path := f.Name()
	h.mu.Lock()
	known, ok := h.of[path]
	h.mu.Unlock()
	if ok && known.stamp == stamp && stamp != (jsonl.Stamp{}) {
		return known.Header, nil
	}
	text, err := headerOf(f)
	if err != nil {
		return session.Header{}, fmt.Errorf("%w: %w", index.ErrChanged, err)
	}
	head, err := session.Read(bytes.NewReader(text), stem(path))
	if err != nil {
		return session.Header{}, fmt.Errorf("%s: %w", path, err)
	}
	if stamp == (jsonl.Stamp{}) {
		return head.Header, nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.of == nil {
		h.of = make(map[string]knownHeader)
	}
	h.of[path] = knownHeader{stamp, head.Header}
	return head.Header, nil
}

// stem is what a file is called without its ending.
func stem(path string) string { return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)) }

// readSaid reads the document of a line of a conversation again. scope is what the
// line does not say by itself.
func readSaid(path string, l segment.Locator, scope string, known *headers) (*index.Document, error) {
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
	head, err := known.get(f)
	if err != nil {
		return nil, err
	}
	t, err := session.Read(bytes.NewReader(line), stem(path))
	if err != nil || len(t.Entries) != 1 {
		return nil, fmt.Errorf("%s: %w", path, index.ErrChanged)
	}
	e := t.Entries[0]
	if e.Turn == nil {
		d := index.Ran(head, *e.Event, scope)
		return &d, nil
	}
	of, err := session.ParseRef(l.Ref)
	if err != nil {
		return nil, err
	}
	e.Turn.N = of.Turn // a line without number has its place among the turns
	d := index.Said(head, *e.Turn, scope)
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
