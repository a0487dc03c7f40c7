package index

import (
	"cmp"
	"encoding/binary"
	"iter"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"ken/internal/dates/said"
	"ken/internal/memory"
	"ken/internal/text"
)

// A Scan is a Reader over documents. It reads the texts for what is asked for, as Prepare says; when
// that was asked for mostPasses times, or for all, it reads all texts once and keeps what they are made of.
// A text itself is made again when it is asked for.
type Scan struct {
	n        int
	document func(doc int32) Document

	mu     sync.Mutex // guards what follows, and is held while texts are read
	passes int
	asked  map[Term][]Posting // what was read for
	words  map[string]int32   // by chunk: how many it counts as
	all    atomic.Pointer[counts]
}

// mostPasses is how often the texts are read for a few terms before they are read for all: that costs about
// as much as ten of these.
const mostPasses = 8

// counts are what all texts are made of.
type counts struct {
	words []int32 // by document: how many
	// chunks says by the number of a chunk where it stands; lists are those of the
	// chunks that stand in several places, most of which stand in very many.
	chunks []standing
	lists  []locationList
	// chunksOf gives by text and form the chunk that a term is in: 0 none, above 0
	// its number and 1, below 0 the number of a list in several, and 1, negated.
	chunksOf map[string][forms]int32
	several  [][]int32
}

// A standing says where a chunk stands: in one place, or in those of a list.
type standing struct {
	location
	list int32 // its number and 1; 0: none
}

// A location says where a chunk stands.
type location struct {
	doc   int32
	field Field
}

// A locationList holds locations, one for each time, in the order of the documents: of each
// the distance from the document before, and the field.
type locationList struct {
	b    []byte
	n    int32 // how many
	last int32 // the document of the last one
}

// fieldBits is how many bits of a location in a list are those of the field.
const fieldBits = 2

func (l *locationList) add(p location) {
	l.b = binary.AppendUvarint(l.b, uint64(p.doc-l.last)<<fieldBits|uint64(p.field))
	l.n, l.last = l.n+1, p.doc
}

// all yields the locations.
func (l *locationList) all(yield func(location) bool) {
	doc := int32(0)
	for b := l.b; len(b) > 0; {
		v, n := uint64(b[0]), 1
		if v >= 1<<7 {
			v, n = binary.Uvarint(b)
		}
		b = b[n:]
		doc += int32(v >> fieldBits)
		if !yield(location{doc, Field(v & (1<<fieldBits - 1))}) {
			return
		}
	}
}

var _ Reader = (*Scan)(nil)

// NewScan returns the corpus of docs, which it keeps.
func NewScan(docs iter.Seq[Document]) *Corpus {
	list := slices.Collect(docs)
	return ScanOf(len(list), func(doc int32) Document { return list[doc] })
}

// ScanOf returns the corpus of n documents. document makes that of a number, the same
// one whenever it is asked for it, also by several goroutines at a time.
func ScanOf(n int, document func(doc int32) Document) *Corpus {
	s := &Scan{n: n, document: document}
	c := &Corpus{Reader: s}
	names := make(map[string]int32)
	number := func(name string) int32 {
		i, ok := names[name]
		if !ok {
			i = int32(len(c.Names))
			names[name] = i
			c.Names = append(c.Names, name)
		}
		return i
	}
	turns := false
	for doc := range n {
		d := document(int32(doc))
		d.known(0, number) // from now on all names have their numbers
		turns = turns || d.In == Sessions
	}
	c.Rows = ReadRows(n, nil, func() (bool, error) { return turns, nil }, func(first int, to []Row) error {
		for i := range to {
			d := document(int32(first + i))
			to[i] = d.Row(s.wordsOf(int32(first+i), d.Content), number)
		}
		return nil
	}, func(_ bool, first int, to []Row) error {
		for i := range to {
			d := document(int32(first + i))
			to[i] = d.known(0, number) // no text says anything of what a Cursor gives
		}
		return nil
	})
	c.Rows.single(func(doc int) Row {
		d := document(int32(doc))
		return d.known(0, number)
	})
	return c
}

// wordsOf is how many words the content of a document has.
func (s *Scan) wordsOf(doc int32, content string) (n int32) {
	if all := s.all.Load(); all != nil {
		return all.words[doc]
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.words == nil {
		s.words = make(map[string]int32)
	}
	text.Chunks(content, func(chunk string) {
		words, ok := int32(1), oneWord(chunk)
		if !ok {
			words, ok = s.words[chunk]
		}
		if !ok {
			words = wordsIn(terms(chunk))
			s.words[strings.Clone(chunk)] = words // not all of the text with it
		}
		n += words
	})
	return n
}

// counts reads all texts, once.
func (s *Scan) counts() *counts {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.readAll()
}

// readAll is counts for who holds s.mu.
func (s *Scan) readAll() *counts {
	if all := s.all.Load(); all != nil {
		return all
	}
	all := &counts{words: make([]int32, s.n), chunksOf: make(map[string][forms]int32)}
	numbers := make(map[string]int32) // of chunks
	words := make([]int32, 0, 1024)   // by chunk: how many it counts as
	for doc := range all.words {
		d := s.document(int32(doc))
		for f := range Fields {
			d.field(f, func(value string) {
				text.Chunks(value, func(chunk string) {
					at := location{int32(doc), f}
					i, ok := numbers[chunk]
					if ok {
						all.again(i, at)
					} else {
						i = int32(len(all.chunks))
						chunk = strings.Clone(chunk) // not all of the text with it
						numbers[chunk] = i
						list := terms(chunk)
						for _, t := range list {
							all.within(t, i)
						}
						all.chunks, words = append(all.chunks, standing{location: at}), append(words, wordsIn(list))
					}
					if f == FieldContent {
						all.words[doc] += words[i]
					}
				})
			})
		}
	}
	s.asked, s.words = nil, nil
	s.all.Store(all)
	return all
}

// Prepare implements preparer: texts are read for all of the terms at once.
func (s *Scan) Prepare(wanted []Term) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all.Load() != nil {
		return
	}
	var missing []Term
	for _, t := range wanted {
		if _, ok := s.asked[t]; !ok && t.Form < forms {
			missing = append(missing, t)
		}
	}
	if len(missing) == 0 {
		return
	}
	s.pass(newPass(missing))
}

// pass reads all texts, for a few terms unless that was done too often. s.mu is held.
func (s *Scan) pass(p *pass) {
	if s.passes++; s.passes > mostPasses {
		s.readAll()
		return
	}
	for doc := range int32(s.n) {
		d := s.document(doc)
		for f := range Fields {
			d.field(f, func(value string) { p.read(doc, f, value) })
		}
	}
	if s.asked == nil {
		s.asked = make(map[Term][]Posting)
	}
	for t, i := range p.number {
		s.asked[t] = p.found[i]
	}
}

// Words implements Worder. There is no error.
func (s *Scan) Words(prefix string, yield func(string) bool) error {
	words := s.wordsWith(prefix)
	slices.Sort(words)
	for _, w := range words {
		if !yield(w) {
			break
		}
	}
	return nil
}

// wordsWith are the words that begin with prefix, in no order; where they stand is known from now on.
func (s *Scan) wordsWith(prefix string) (words []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all.Load() == nil && prefix != "" {
		p := newPass(nil)
		p.prefix = prefix
		p.begin(prefix)
		if s.pass(p); s.all.Load() == nil {
			for t := range p.number {
				words = append(words, t.Text)
			}
			return words
		}
	}
	for word, of := range s.readAll().chunksOf {
		if of[Word] != 0 && strings.HasPrefix(word, prefix) {
			words = append(words, word)
		}
	}
	return words
}

// again notes a further location of a chunk.
func (s *counts) again(chunk int32, at location) {
	c := &s.chunks[chunk]
	if c.list == 0 {
		s.lists = append(s.lists, locationList{})
		c.list = int32(len(s.lists))
		s.lists[c.list-1].add(c.location)
	}
	s.lists[c.list-1].add(at)
}

// within notes that a term is in a chunk. One that is in it twice counts twice.
func (s *counts) within(t Term, chunk int32) {
	of := s.chunksOf[t.Text]
	switch at := &of[t.Form]; {
	case *at == 0:
		*at = chunk + 1
	case *at > 0:
		s.several = append(s.several, []int32{*at - 1, chunk})
		*at = -int32(len(s.several))
	default:
		list := &s.several[-*at-1]
		*list = append(*list, chunk)
		return
	}
	s.chunksOf[t.Text] = of
}

// wordsIn is how many words the terms of a chunk are: a name of several parts
// counts by these.
func wordsIn(list []Term) int32 {
	var n int32
	for _, t := range list {
		if t.Form == Stem {
			n++
		}
	}
	return max(n, 1)
}

// oneWord reports whether a chunk is one word at a glance: of letters and digits of ASCII, no capital among them
// but the first.
func oneWord(chunk string) bool {
	for i := range len(chunk) {
		switch c := chunk[i]; {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', i == 0 && 'A' <= c && c <= 'Z':
		default:
			return false
		}
	}
	return true
}

// Row returns what is known of d without its text, of which the caller has counted the
// words. number gives a name its number.
func (d *Document) Row(words int32, number func(string) int32) Row {
	r := d.known(words, number)
	d.read(&r)
	return r
}

// known is as much of a row as is known without reading the text.
func (d *Document) known(words int32, number func(string) int32) Row {
	r := Row{
		Time: NoTime, Scope: -1, Kind: number(d.Kind), Session: -1, Speaker: -1, Words: words,
		Importance: uint8(min(max(d.Importance, 0), math.MaxUint8)),
	}
	if !d.Time.IsZero() {
		r.Time = d.Time.Unix()
	}
	if d.Scope != "" {
		r.Scope = number(d.Scope)
	}
	switch d.In {
	case Sessions:
		r.Flags |= Turn
		if d.Session != "" {
			r.Session = number(d.Session)
		}
		r.Speaker = number(cmp.Or(d.Speaker, d.Kind))
	case Commands:
		r.Flags |= Command
	}
	r.flag(Pinned, d.Pinned)
	r.flag(Archived, d.Archived)
	r.flag(Stabilized, d.Phase == memory.PhaseStabilized)
	r.flag(Rigid, d.Phase == memory.PhaseRigid)
	return r
}

func (r *Row) flag(f Flags, on bool) {
	if on {
		r.Flags |= f
	}
}

// read adds to a row of d what its text says.
func (d *Document) read(r *Row) {
	// What is said of a picture may stand behind the question.
	at := strings.LastIndexByte(d.Content, '?')
	r.flag(Question, at >= 0 && at >= len(d.Content)/2)
	m := said.Read(d.Content, d.Time)
	r.flag(When, m.When)
	r.flag(Lasting, m.Lasting)
	r.flag(Where, m.Place)
	r.flag(Named, m.Name)
	r.Days = m.Days
}

// field yields the texts of field f.
func (d *Document) field(f Field, yield func(string)) {
	switch f {
	case FieldContent:
		yield(d.Content)
	case FieldTags:
		for _, tag := range d.Tags {
			yield(tag)
		}
		yield(d.Key)
	case FieldSpeaker:
		yield(d.Speaker)
	}
}

// Count calls yield for each term of d with how often each field has it, in no
// order, and returns how many words the content has.
func (d *Document) Count(yield func(Term, [Fields]uint16)) (words int32) {
	counts := make(map[Term][Fields]uint16)
	for f := range Fields {
		d.field(f, func(value string) {
			text.Chunks(value, func(chunk string) {
				list := terms(chunk)
				for _, t := range list {
					n := counts[t]
					n[f] = plus(n[f])
					counts[t] = n
				}
				if f == FieldContent {
					words += wordsIn(list)
				}
			})
		})
	}
	for t, n := range counts {
		yield(t, n)
	}
	return words
}

func plus(n uint16) uint16 { return min(n, math.MaxUint16-1) + 1 }

// AppendPostings implements Reader. There is no error.
func (s *Scan) AppendPostings(list []Posting, t Term) ([]Posting, error) {
	if t.Form >= forms {
		return list, nil
	}
	s.Prepare([]Term{t})
	if all := s.all.Load(); all != nil {
		return all.appendPostings(list, t), nil
	}
	s.mu.Lock()
	found, ok := s.asked[t]
	s.mu.Unlock()
	if !ok { // all was read meanwhile
		return s.counts().appendPostings(list, t), nil
	}
	return append(list, found...), nil
}

// appendPostings is AppendPostings of what all texts are made of.
func (s *counts) appendPostings(list []Posting, t Term) []Posting {
	switch at := s.chunksOf[t.Text][t.Form]; {
	case at == 0:
		return list
	case at > 0:
		return s.appendChunk(list, len(list), at-1)
	default:
		first := len(list)
		for _, chunk := range s.several[-at-1] {
			list = s.appendChunk(list, first, chunk)
		}
		return united(list, first)
	}
}

// appendChunk appends a posting for each document that a chunk stands in, or adds to
// the last one, if that is of the document and not before number first.
func (s *counts) appendChunk(list []Posting, first int, chunk int32) []Posting {
	add := func(p location) bool {
		if last := len(list) - 1; last >= first && list[last].Doc == p.doc {
			list[last].Counts[p.field] = plus(list[last].Counts[p.field])
			return true
		}
		list = append(list, Posting{Doc: p.doc})
		list[len(list)-1].Counts[p.field]++
		return true
	}
	c := &s.chunks[chunk]
	if c.list == 0 {
		add(c.location)
		return list
	}
	locs := &s.lists[c.list-1]
	list = slices.Grow(list, int(locs.n))
	locs.all(add)
	return list
}

// united makes one posting of those of a document, in the order of documents, from
// number first of a list on.
func united(list []Posting, first int) []Posting {
	found := list[first:]
	slices.SortFunc(found, func(a, b Posting) int { return cmp.Compare(a.Doc, b.Doc) })
	n := 0
	for i := range found {
		if n > 0 && found[n-1].Doc == found[i].Doc {
			for f := range Fields {
				sum := uint32(found[n-1].Counts[f]) + uint32(found[i].Counts[f])
				found[n-1].Counts[f] = uint16(min(sum, math.MaxUint16))
			}
			continue
		}
		found[n] = found[i]
		n++
	}
	return list[:first+n]
}

// Terms returns all terms that a document has, each once, in no order.
func (s *Scan) Terms() []Term {
	all := s.counts()
	list := make([]Term, 0, 2*len(all.chunksOf))
	for word, of := range all.chunksOf {
		for form, at := range of {
			if at != 0 {
				list = append(list, Term{Form(form), word})
			}
		}
	}
	return list
}

// Document implements Reader. There is no error.
func (s *Scan) Document(doc int32) (*Document, error) {
	d := s.document(doc)
	return &d, nil
}
