package segment

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ken/internal/index"
)

// A Builder gathers what a segment will hold, in memory: some hundred bytes for
// each document. It is not safe for concurrent use.
type Builder struct {
	counter *index.Counter
	rows    []index.Row
	names   names
	places  []byte
	docs    []byte
	lists   []list // by number of the term
}

// names gives names their numbers.
type names struct {
	list    []string
	numbers map[string]int32
}

func (n *names) number(name string) int32 {
	i, ok := n.numbers[name]
	if !ok {
		i = int32(len(n.list))
		if n.numbers == nil {
			n.numbers = make(map[string]int32)
		}
		n.numbers[name] = i
		n.list = append(n.list, name)
	}
	return i
}

// A list is the postings of a term in the making.
type list struct {
	done []byte        // encoded
	n    int           // how many documents are in done
	last int32         // the last of them
	open index.Posting // what is being counted, if any is
	any  bool
}

// add takes in that the term stands once more in that field.
func (l *list) add(doc int32, f index.Field) {
	if !l.any || l.open.Doc != doc {
		l.close()
		l.open, l.any = index.Posting{Doc: doc}, true
	}
	if c := &l.open.Counts[f]; *c < 1<<16-1 {
		*c++
	}
}

// close encodes what was counted.
func (l *list) close() {
	if l.any {
		l.put(l.open)
		l.any = false
	}
}

// put encodes a posting: the distance to the one before, doubled, and one more if
// the term stands once in the content and nowhere else; else a bit for each field
// that has it follows, and how often each does.
func (l *list) put(p index.Posting) {
	delta := uint64(p.Doc)
	if l.n > 0 {
		delta = uint64(p.Doc - l.last)
	}
	l.n, l.last = l.n+1, p.Doc
	if p.Counts == (index.Posting{Counts: [index.Fields]uint16{1}}).Counts {
		l.done = binary.AppendUvarint(l.done, delta<<1|1)
		return
	}
	l.done = binary.AppendUvarint(l.done, delta<<1)
	mask := byte(0)
	for f, n := range p.Counts {
		if n > 0 {
			mask |= 1 << f
		}
	}
	l.done = append(l.done, mask)
	for _, n := range p.Counts {
		if n > 0 {
			l.done = binary.AppendUvarint(l.done, uint64(n))
		}
	}
}

// NewBuilder returns a Builder that holds nothing.
func NewBuilder() *Builder { return &Builder{counter: index.NewCounter()} }

// Len is how many documents were added.
func (b *Builder) Len() int { return len(b.rows) }

// Add adds a document and the lines that it was made from. Its number is the Len
// from before.
func (b *Builder) Add(d *index.Document, from ...Line) {
	doc := int32(len(b.rows))
	words := b.counter.Read(d, func(t int32, f index.Field) {
		for int(t) >= len(b.lists) {
			b.lists = append(b.lists, list{})
		}
		b.lists[t].add(doc, f)
	})
	row := d.Row(words, b.names.number)
	b.rows = append(b.rows, row)
	b.place(row, d.Ref, from)
}

// place says where a document has its text. The reference of a turn is that of
// its session and a number.
func (b *Builder) place(row index.Row, ref string, from []Line) {
	b.places = binary.LittleEndian.AppendUint32(b.places, uint32(len(b.docs)))
	short := uint64(0)
	if row.Session >= 0 {
		if n, ok := strings.CutPrefix(ref, b.names.list[row.Session]+":"); ok {
			if v, err := strconv.ParseUint(n, 10, 32); err == nil && v > 0 && strconv.FormatUint(v, 10) == n {
				short = v
			}
		}
	}
	b.docs = binary.AppendUvarint(b.docs, short)
	if short == 0 {
		b.docs = append(binary.AppendUvarint(b.docs, uint64(len(ref))), ref...)
	}
	b.docs = binary.AppendUvarint(b.docs, uint64(len(from)))
	for _, l := range from {
		b.docs = binary.AppendUvarint(b.docs, uint64(l.File))
		b.docs = binary.AppendUvarint(b.docs, uint64(l.Offset))
		b.docs = binary.AppendUvarint(b.docs, uint64(l.Len))
		b.docs = binary.LittleEndian.AppendUint32(b.docs, l.Sum)
	}
}

// WriteFile writes the segment in place of the file at path, which is the old one
// or the new one at any time. The Builder must not be used afterwards.
func (b *Builder) WriteFile(path string, meta []byte) (err error) {
	parts := b.encode(meta)
	f, err := os.CreateTemp(filepath.Dir(path), ".segment-*") // 0600
	if err != nil {
		return fmt.Errorf("write the index: %w", err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name()) // what is left over is told by the error
			err = fmt.Errorf("write the index %s: %w", path, err)
		}
	}()
	w := bufio.NewWriterSize(f, 1<<16)
	for _, p := range parts {
		if _, err = w.Write(p); err != nil {
			break
		}
	}
	if err == nil {
		err = w.Flush()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	return err
}

// encode gives the header and the sections.
func (b *Builder) encode(meta []byte) [][]byte {
	var secs [sections][]byte
	secs[secPlaces], secs[secDocs], secs[secMeta] = b.places, b.docs, meta
	for i := range b.rows {
		secs[secRows] = appendRow(secs[secRows], &b.rows[i])
	}
	for _, n := range b.names.list {
		secs[secNames] = append(binary.AppendUvarint(secs[secNames], uint64(len(n))), n...)
	}
	all := b.counter.Terms()
	order := make([]int32, len(b.lists))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(x, y int32) int { return compare(all[x], all[y]) })
	var d dictionary
	for _, t := range order {
		b.lists[t].close()
		d.add(all[t], b.lists[t].n, b.lists[t].done)
	}
	secs[secBlocks], secs[secTerms], secs[secPostings] = d.blocks, d.terms, d.postings
	return frame(secs, len(b.rows), d.n)
}

// compare orders terms by form, then by text.
func compare(a, b index.Term) int {
	return cmp.Or(cmp.Compare(a.Form, b.Form), strings.Compare(a.Text, b.Text))
}

// A dictionary is the terms and their postings in the making.
type dictionary struct {
	blocks, terms, postings []byte
	n                       int
	before                  index.Term
}

// add adds a term behind the ones before.
func (d *dictionary) add(t index.Term, df int, postings []byte) {
	shared := 0
	if d.n%blockTerms == 0 {
		d.blocks = binary.LittleEndian.AppendUint32(d.blocks, uint32(len(d.terms)))
	} else if d.before.Form == t.Form {
		for shared < len(t.Text) && shared < len(d.before.Text) && t.Text[shared] == d.before.Text[shared] {
			shared++
		}
	}
	d.terms = append(d.terms, byte(t.Form))
	d.terms = binary.AppendUvarint(d.terms, uint64(shared))
	d.terms = binary.AppendUvarint(d.terms, uint64(len(t.Text)-shared))
	d.terms = append(d.terms, t.Text[shared:]...)
	d.terms = binary.AppendUvarint(d.terms, uint64(df))
	d.terms = binary.AppendUvarint(d.terms, uint64(len(d.postings)))
	d.postings = append(d.postings, postings...)
	d.n, d.before = d.n+1, t
}

// frame puts a header before the sections, which begin at multiples of 8.
func frame(secs [sections][]byte, docs, terms int) [][]byte {
	head := make([]byte, 0, headerSize)
	head = append(head, magic...)
	head = binary.LittleEndian.AppendUint32(head, uint32(docs))
	head = binary.LittleEndian.AppendUint32(head, uint32(terms))
	at := align(headerSize)
	parts := [][]byte{nil, make([]byte, at-headerSize)}
	for _, s := range secs {
		head = binary.LittleEndian.AppendUint64(head, uint64(at))
		head = binary.LittleEndian.AppendUint64(head, uint64(len(s)))
		head = binary.LittleEndian.AppendUint32(head, sum(s))
		end := align(at + len(s))
		parts = append(parts, s, make([]byte, end-at-len(s)))
		at = end
	}
	parts[0] = binary.LittleEndian.AppendUint32(head, sum(head))
	return parts
}

func align(n int) int { return (n + 7) &^ 7 }
