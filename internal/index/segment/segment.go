package segment

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"iter"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"ken/internal/index"
	"ken/internal/regular"
)

// A Segment is an open file. It and its corpora are safe for concurrent use.
// Whoever has no more use for it may close it, or leave that to the garbage
// collector.
type Segment struct {
	path string
	ends [sections]uint64 // where each section ends
	body uint64           // how many bytes of the file have their sums behind them

	docs, names, terms int

	mu      sync.RWMutex // held while what is mapped is looked at; locked to close
	data    []byte       // nil once closed
	cleanup runtime.Cleanup

	checked []atomic.Uint64 // a bit for each page whose sum was right

	once     sync.Once   // to read what follows
	rows     *index.Rows // none deleted
	columns  columnsAt
	nameList []string
	rowsErr  error
}

// Text reads the document that stands at a Locator. Its error wraps
// index.ErrChanged if a line is no longer there or has another sum.
type Text func(Locator) (*index.Document, error)

// Open opens a segment. Its rows and words are read, and checked, as they are
// needed. The error wraps ErrCorrupt, ErrVersion, or that of the file system.
func Open(path string) (*Segment, error) {
	fi, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("open segment: %w", err)
	}
	if !fi.Mode().IsRegular() { // reading a pipe would wait for ever
		return nil, fmt.Errorf("%w: %s is no file", ErrCorrupt, path)
	}
	f, err := regular.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open segment: %w", err)
	}
	defer f.Close()
	if fi, err = f.Stat(); err != nil {
		return nil, fmt.Errorf("open segment: %w", err)
	}
	size := fi.Size()
	if size < int64(headerSize+footerSize) || size > math.MaxInt {
		return nil, fmt.Errorf("%w: %s has %d bytes", ErrCorrupt, path, size)
	}
	data, err := load(f, size)
	if err != nil {
		return nil, fmt.Errorf("open segment %s: %w", path, err)
	}
	s := &Segment{path: path, data: data}
	if err := s.use(s.begin); err != nil {
		return nil, errorsOf(err, unload(data))
	}
	s.cleanup = runtime.AddCleanup(s, func(b []byte) { _ = unload(b) }, data)
	return s, nil
}

// errorsOf is the first error, which an error of giving back does not hide.
func errorsOf(err, other error) error {
	if other != nil {
		return fmt.Errorf("%w (and: %v)", err, other)
	}
	return err
}

// begin reads header and footer.
func (s *Segment) begin() error {
	b := s.data
	if string(b[:len(magic)]) != magic {
		return s.corrupt("the header")
	}
	v, reading := binary.LittleEndian.Uint32(b[len(magic):]), binary.LittleEndian.Uint32(b[len(magic)+4:])
	if v != version || reading != index.Reading {
		return fmt.Errorf("%w: %s has %d.%d, wanted %d.%d", ErrVersion, s.path, v, reading, version, index.Reading)
	}
	footer := b[len(b)-footerSize:]
	for i := range s.ends {
		s.ends[i] = binary.LittleEndian.Uint64(footer[8*i:])
	}
	if !slices.IsSorted(s.ends[:]) || s.ends[0] < uint64(headerSize) {
		return s.corrupt("the footer")
	}
	s.body = s.ends[sections-1]
	pages := (s.body + pageSize - 1) / pageSize
	if s.body > uint64(len(b)) || s.body+4*pages+uint64(footerSize) != uint64(len(b)) {
		return s.corrupt("the footer")
	}
	counts := footer[8*sections:]
	if checksum(b[s.body:len(b)-len(magic)-4]) != binary.LittleEndian.Uint32(counts[12:]) || string(counts[16:]) != magic {
		return s.corrupt("the footer")
	}
	docs, names, terms := binary.LittleEndian.Uint32(counts), binary.LittleEndian.Uint32(counts[4:]), binary.LittleEndian.Uint32(counts[8:])
	if max(docs, names, terms) > math.MaxInt32 {
		return s.corrupt("the footer")
	}
	s.docs, s.names, s.terms = int(docs), int(names), int(terms)
	s.checked = make([]atomic.Uint64, (pages+63)/64)
	_, err := s.view(0, uint64(headerSize))
	return err
}

// Close gives back what the segment takes. Whatever still reads it, its corpora
// as well, gets an error that wraps fs.ErrClosed from then on.
func (s *Segment) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.data == nil {
		return nil
	}
	s.cleanup.Stop()
	data := s.data
	s.data = nil
	return unload(data)
}

// use lets read look at s.data. What the system can no longer provide of a file
// that is mapped, because it was cut short or its disk is gone, is an error.
func (s *Segment) use(read func() error) (err error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.data == nil {
		return fmt.Errorf("read segment %s: %w", s.path, fs.ErrClosed)
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			if _, fault := r.(interface{ Addr() uintptr }); !fault {
				panic(r)
			}
			err = s.corrupt("what is no longer there")
		}
	}()
	return read()
}

func (s *Segment) corrupt(what string) error {
	return fmt.Errorf("%w: %s in %s", ErrCorrupt, what, s.path)
}

// view is so many bytes of the file, after the sums of their pages were found
// right.
func (s *Segment) view(from, size uint64) ([]byte, error) {
	if from > s.body || size > s.body-from {
		return nil, s.corrupt("a place behind the end")
	}
	if size == 0 {
		return nil, nil
	}
	for page := from / pageSize; page <= (from+size-1)/pageSize; page++ {
		word, bit := &s.checked[page/64], uint64(1)<<(page%64)
		if word.Load()&bit != 0 {
			continue
		}
		want := binary.LittleEndian.Uint32(s.data[s.body+4*page:])
		if checksum(s.data[page*pageSize:min((page+1)*pageSize, s.body)]) != want {
			return nil, s.corrupt(fmt.Sprintf("page %d", page+1))
		}
		word.Or(bit)
	}
	return s.data[from : from+size], nil
}

// start is where a section begins.
func (s *Segment) start(section int) uint64 {
	if section == 0 {
		return uint64(headerSize)
	}
	return s.ends[section-1]
}

// part is a part of a section.
func (s *Segment) part(section int, from, size uint64) ([]byte, error) {
	long := s.ends[section] - s.start(section)
	if from > long || size > long-from {
		return nil, s.corrupt("a place behind the end")
	}
	return s.view(s.start(section)+from, size)
}

// whole is a section.
func (s *Segment) whole(section int) ([]byte, error) {
	return s.view(s.start(section), s.ends[section]-s.start(section))
}

// blocks is how many blocks a section has whose list of blocks is in another one.
func (s *Segment) blocks(list int) int {
	return int((s.ends[list] - s.start(list)) / 4)
}

// block is the nth block of a section.
func (s *Segment) block(section, list, n int) ([]byte, error) {
	from, err := s.part(list, uint64(n)*4, 4)
	if err != nil {
		return nil, err
	}
	begin, end := uint64(binary.LittleEndian.Uint32(from)), s.ends[section]-s.start(section)
	if n+1 < s.blocks(list) {
		to, err := s.part(list, uint64(n+1)*4, 4)
		if err != nil {
			return nil, err
		}
		end = uint64(binary.LittleEndian.Uint32(to))
	}
	if begin > end {
		return nil, s.corrupt("a list of blocks")
	}
	return s.part(section, begin, end-begin)
}

// Docs returns the number of documents, deleted ones included.
func (s *Segment) Docs() int { return s.docs }

// Meta returns what the owner gave to be kept; the caller's to change.
func (s *Segment) Meta() (meta []byte, err error) {
	err = s.use(func() error {
		b, err := s.whole(secMeta)
		meta = slices.Clone(b)
		return err
	})
	return meta, err
}

// readRows reads the names, and where the rows are, once.
func (s *Segment) readRows() (*index.Rows, []string, error) {
	s.once.Do(func() {
		s.rowsErr = s.use(func() error {
			b, err := s.whole(secNames)
			if err != nil {
				return err
			}
			var ok bool
			if s.nameList, ok = decodeNames(b, s.names); !ok {
				return s.corrupt("the names")
			}
			if b, err = s.part(secRows, 0, rowsHead); err != nil {
				return err
			}
			if s.columns, ok = readColumns(b, s.docs, s.ends[secRows]-s.start(secRows)); !ok {
				return s.corrupt("the rows")
			}
			return nil
		})
		s.rows = s.rowsWithout(nil)
	})
	return s.rows, s.nameList, s.rowsErr
}

// rowsWithout returns the rows, with those of deleted marked as deleted.
func (s *Segment) rowsWithout(deleted Deleted) *index.Rows {
	return index.ReadRows(s.docs, deleted, s.turns, s.fillRows, s.fillColumns)
}

// fillRows reads the rows from first on.
func (s *Segment) fillRows(first int, to []index.Row) error {
	return s.use(func() error {
		var values [columns][]byte
		for c := range values {
			w := uint64(s.columns.width[c])
			var err error
			if values[c], err = s.part(secRows, s.columns.at[c]+w*uint64(first), w*uint64(len(to))); err != nil {
				return err
			}
		}
		if !s.columns.decode(values, to, s.names) {
			return s.corrupt("the rows")
		}
		return nil
	})
}

// turns reports whether any document is a turn.
func (s *Segment) turns() (any bool, err error) {
	err = s.use(func() error {
		w := s.columns.width[colFlags]
		b, err := s.part(secRows, s.columns.at[colFlags], uint64(w)*uint64(s.docs))
		all := byte(0)
		for i := 0; i < len(b); i += w { // index.Turn is in the first byte
			all |= b[i]
		}
		any = index.Flags(all)&index.Turn != 0
		return err
	})
	return any, err
}

// Corpus returns what can be searched, where the documents of deleted count as deleted.
// Corpora of one segment with other deleted ones may be used side by side. text reads what is found; nil if no
// text will be asked for. Rows are read, and checked, when they are asked for.
func (s *Segment) Corpus(deleted Deleted, text Text) (*index.Corpus, error) {
	rows, names, err := s.readRows()
	if err != nil {
		return nil, err
	}
	if deleted.any() {
		rows = s.rowsWithout(deleted)
	}
	return &index.Corpus{Rows: rows, Names: names, Reader: &reader{s, text}}, nil
}

// A reader is the Reader of a corpus.
type reader struct {
	s    *Segment
	text Text
}

// AppendPostings implements index.Reader.
func (r *reader) AppendPostings(list []index.Posting, t index.Term) ([]index.Posting, error) {
	longer := list
	err := r.s.use(func() error {
		e, ok, err := r.s.find(t)
		if ok {
			longer, err = r.s.postings(list, e)
		}
		return err
	})
	if err != nil {
		return list, err
	}
	return longer, nil
}

// Document implements index.Reader.
func (r *reader) Document(doc int32) (*index.Document, error) {
	l, err := r.s.Locator(doc)
	if err != nil {
		return nil, err
	}
	if r.text == nil {
		return nil, fmt.Errorf("%s: no text was to be asked for", l.Ref)
	}
	return r.text(l)
}

// Locator returns where the text of a document stands; doc is below Docs.
func (s *Segment) Locator(doc int32) (l Locator, err error) {
	if doc < 0 || int(doc) >= s.docs {
		return l, fmt.Errorf("segment %s has no document %d", s.path, doc)
	}
	err = s.use(func() error {
		block, err := s.block(secLocators, secLocatorBlks, int(doc)/blockLocators)
		if err != nil {
			return err
		}
		c := locatorCursor{decoder: decoder{b: block}}
		for range int(doc)%blockLocators + 1 {
			l = c.next()
		}
		if c.bad {
			return s.corrupt("a block of locators")
		}
		return nil
	})
	return l, err
}

// Locators returns those of all documents, in order. It ends behind the first error.
func (s *Segment) Locators() iter.Seq2[Locator, error] {
	return func(yield func(Locator, error) bool) {
		for from := 0; from < s.docs; from += blockLocators {
			list := make([]Locator, 0, blockLocators)
			err := s.use(func() error {
				block, err := s.block(secLocators, secLocatorBlks, from/blockLocators)
				if err != nil {
					return err
				}
				c := locatorCursor{decoder: decoder{b: block}}
				for range min(blockLocators, s.docs-from) {
					list = append(list, c.next())
				}
				if c.bad {
					return s.corrupt("a block of locators")
				}
				return nil
			})
			if err != nil {
				yield(Locator{}, err)
				return
			}
			for _, l := range list {
				if !yield(l, nil) {
					return
				}
			}
		}
	}
}
