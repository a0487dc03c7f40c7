package segment

import (
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"strconv"

	"ken/internal/index"
)

// A Segment is an open segment. What its methods return lies in the file and must
// not be changed. It is safe for concurrent use.
type Segment struct {
	data  []byte // all of the file, mapped
	secs  [sections][]byte
	rows  []index.Row
	names []string
	terms int
	unmap func()
}

// Open maps the segment in the file at path and verifies all of it. Errors wrap
// ErrVersion or ErrCorrupt, or are about the file.
func Open(path string) (*Segment, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open the index: %w", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	fi, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("open the index: %w", err)
	}
	if !fi.Mode().IsRegular() || fi.Size() < int64(headerSize) || fi.Size() > 1<<40 {
		return nil, fmt.Errorf("open the index %s: %w", path, ErrCorrupt)
	}
	data, unmap, err := mapFile(f, int(fi.Size()))
	if err != nil {
		return nil, fmt.Errorf("open the index %s: %w", path, err)
	}
	s := &Segment{data: data, unmap: unmap}
	if err := s.parse(); err != nil {
		unmap()
		return nil, fmt.Errorf("open the index %s: %w", path, err)
	}
	return s, nil
}

// Close gives the memory back. Nothing of the segment may be used afterwards.
func (s *Segment) Close() { s.unmap() }

// parse reads the header and checks the sections.
func (s *Segment) parse() error {
	if string(s.data[:6]) != magic[:6] {
		return ErrCorrupt
	}
	head := s.data[:headerSize]
	if sum(head[:headerSize-4]) != binary.LittleEndian.Uint32(head[headerSize-4:]) {
		return ErrCorrupt
	}
	if string(head[:len(magic)]) != magic {
		return ErrVersion
	}
	docs := int(binary.LittleEndian.Uint32(head[len(magic):]))
	s.terms = int(binary.LittleEndian.Uint32(head[len(magic)+4:]))
	at := head[len(magic)+8:]
	end := uint64(headerSize)
	for i := range s.secs {
		off, n, want := binary.LittleEndian.Uint64(at), binary.LittleEndian.Uint64(at[8:]), binary.LittleEndian.Uint32(at[16:])
		at = at[20:]
		if off < end || off > uint64(len(s.data)) || n > uint64(len(s.data))-off {
			return ErrCorrupt
		}
		s.secs[i] = s.data[off : off+n : off+n]
		if sum(s.secs[i]) != want {
			return ErrCorrupt
		}
		end = off + n
	}
	if len(s.secs[secRows]) != rowSize*docs || len(s.secs[secPlaces]) != 4*docs || len(s.secs[secBlocks]) != 4*((s.terms+blockTerms-1)/blockTerms) {
		return ErrCorrupt
	}
	s.rows = make([]index.Row, docs)
	for i := range s.rows {
		s.rows[i] = rowAt(s.secs[secRows][rowSize*i:])
	}
	rest := s.secs[secNames]
	for len(rest) > 0 {
		n, w := binary.Uvarint(rest)
		if w <= 0 || n > uint64(len(rest)-w) {
			return ErrCorrupt
		}
		s.names = append(s.names, string(rest[w:w+int(n)]))
		rest = rest[w+int(n):]
	}
	return nil
}

// Rows, Names and Meta are what the segment was made of.
func (s *Segment) Rows() []index.Row { return s.rows }

// Names are what the numbers in the rows stand for.
func (s *Segment) Names() []string { return s.names }

// Meta is what the owner had kept.
func (s *Segment) Meta() []byte { return s.secs[secMeta] }

// Ref is the reference of a document.
func (s *Segment) Ref(doc int32) string {
	ref, _ := s.ref(doc)
	return ref
}

// ref is the reference of a document, and what follows it in the section.
func (s *Segment) ref(doc int32) (string, []byte) {
	b := s.secs[secDocs][binary.LittleEndian.Uint32(s.secs[secPlaces][4*doc:]):]
	short, w := binary.Uvarint(b)
	b = b[w:]
	if short > 0 {
		return s.names[s.rows[doc].Session] + ":" + strconv.FormatUint(short, 10), b
	}
	n, w := binary.Uvarint(b)
	return string(b[w : w+int(n)]), b[w+int(n):]
}

// Lines are the lines that a document was made from.
func (s *Segment) Lines(doc int32) []Line {
	_, b := s.ref(doc)
	next := func() uint64 {
		v, w := binary.Uvarint(b)
		b = b[w:]
		return v
	}
	lines := make([]Line, next())
	for i := range lines {
		l := &lines[i]
		l.File, l.Offset, l.Len = uint32(next()), int64(next()), int64(next())
		l.Sum, b = binary.LittleEndian.Uint32(b), b[4:]
	}
	return lines
}

// AppendPostings is that of index.Reader. There is no error.
func (s *Segment) AppendPostings(list []index.Posting, t index.Term) ([]index.Posting, error) {
	df, at, ok := s.find(t)
	if !ok {
		return list, nil
	}
	return appendPostings(list, s.secs[secPostings][at:], df), nil
}

// find looks a term up: in how many documents it stands, and where its postings
// begin.
func (s *Segment) find(t index.Term) (df, at int, ok bool) {
	blocks := s.secs[secBlocks]
	// The last block whose first term is not behind t.
	lo, hi := 0, len(blocks)/4
	for lo < hi {
		mid := (lo + hi) / 2
		e := s.entry(s.block(mid), nil)
		if c := compareBytes(e, t); c <= 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == 0 {
		return 0, 0, false
	}
	b := s.block(lo - 1)
	var e entry
	for i := (lo - 1) * blockTerms; i < min(lo*blockTerms, s.terms); i++ {
		e = s.entry(b, e.text)
		switch c := compareBytes(e, t); {
		case c == 0:
			return e.df, e.at, true
		case c > 0:
			return 0, 0, false
		}
		b = e.rest
	}
	return 0, 0, false
}

func (s *Segment) block(n int) []byte {
	return s.secs[secTerms][binary.LittleEndian.Uint32(s.secs[secBlocks][4*n:]):]
}

// An entry is a term of the dictionary.
type entry struct {
	form   index.Form
	text   []byte
	df, at int
	rest   []byte // what follows
}

// entry reads the entry at the beginning of b. before is the text of the one
// before it, which is overwritten.
func (s *Segment) entry(b, before []byte) entry {
	e := entry{form: index.Form(b[0])}
	b = b[1:]
	next := func() int {
		v, w := binary.Uvarint(b)
		b = b[w:]
		return int(v)
	}
	shared, n := next(), next()
	e.text = append(before[:shared], b[:n]...)
	b = b[n:]
	e.df, e.at = next(), next()
	e.rest = b
	return e
}

func compareBytes(e entry, t index.Term) int {
	if e.form != t.Form {
		if e.form < t.Form {
			return -1
		}
		return 1
	}
	switch {
	case string(e.text) == t.Text:
		return 0
	case string(e.text) < t.Text:
		return -1
	}
	return 1
}

// appendPostings decodes n postings.
func appendPostings(list []index.Posting, b []byte, n int) []index.Posting {
	first := len(list)
	list = slices.Grow(list, n)[:first+n]
	doc := int32(0)
	for i := first; i < len(list); i++ {
		var v uint64
		if b[0] < 0x80 {
			v, b = uint64(b[0]), b[1:]
		} else {
			var w int
			v, w = binary.Uvarint(b)
			b = b[w:]
		}
		doc += int32(v >> 1)
		p := &list[i]
		*p = index.Posting{Doc: doc}
		if v&1 == 1 {
			p.Counts[index.FieldContent] = 1
			continue
		}
		mask := b[0]
		b = b[1:]
		for f := range p.Counts {
			if mask&(1<<f) != 0 {
				v, w := binary.Uvarint(b)
				p.Counts[f], b = uint16(v), b[w:]
			}
		}
	}
	return list
}
