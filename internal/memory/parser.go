package memory

import (
	"bytes"
	"reflect"
	"slices"
	"strings"

	"ken/internal/jsonl"
)

// A Parser reads the lines of a log, as ParseLine does. Its results share memory: equal texts are
// kept once, and records lie side by side. The zero Parser keeps no texts, which is right for a few
// lines; NewParser is for many. A Parser is not safe for concurrent use.
type Parser struct {
	record  Record   // of the line that is being read
	detail  Detail   // of record
	slots   [30]slot // of record
	fields  []jsonl.Field
	list    []string
	records block[Record]
	sources block[Source]
	bytes   textBlock
	words   map[string]string // short texts, by how they stand on the line
	summed  int               // bytes, see Sum
}

// NewParser returns a Parser for many lines.
func NewParser() *Parser { return &Parser{words: make(map[string]string)} }

// Line is ParseLine. The result stays valid. While it is in use, it keeps the memory of some lines
// around it.
func (p *Parser) Line(line []byte) Entry {
	line = bytes.TrimSuffix(line, []byte("\r"))
	if len(bytes.Trim(line, " \t\r")) == 0 {
		return Entry{Record: new(Record)}
	}
	if p.record.Detail == nil { // the first line
		p.record.Detail = &p.detail
		p.slots = p.record.slots()
		p.fields = make([]jsonl.Field, 0, 16)
	}
	e := Entry{Record: &p.record, Sum: p.Sum(line)}
	err := p.parse(&e, line)
	e.Record = p.records.next()
	switch {
	case err != nil:
		most := jsonl.LargestNumber(line, "id", "target", "targets")
		e = Entry{Record: e.Record, Sum: e.Sum, Bad: &LineError{Len: int64(len(line)), MaxID: most, Cause: err}}
	case e.Meta == nil:
		*e.Record = p.record
		e.Record.Detail = p.detail.kept()
	}
	p.record = Record{Detail: &p.detail}
	p.detail = Detail{}
	return e
}

// text reads a string that may well stand on other lines too.
func (p *Parser) text(v jsonl.Value) (string, bool) {
	const longest, most = 64, 4096 // bytes of a text, texts
	if p.words == nil || len(v) > longest {
		return v.Text()
	}
	if s, ok := p.words[string(v)]; ok {
		return s, true
	}
	s, ok := v.Text()
	if ok && len(p.words) < most {
		p.words[string(v)] = s
	}
	return s, ok
}

// content reads a string that stands on no other line.
func (p *Parser) content(v jsonl.Value) (string, bool) {
	const longest = 1 << 10
	if p.words != nil && len(v) <= longest {
		if plain, ok := v.Plain(); ok {
			return p.bytes.keep(plain), true
		}
	}
	return v.Text()
}

// texts reads an array of strings; an empty one is nil.
func (p *Parser) texts(v jsonl.Value) (list []string, ok bool) {
	if v.Type() != "array" {
		return nil, false
	}
	p.list = p.list[:0]
	for el := range v.Elements() {
		s, ok := p.text(el)
		if !ok {
			return nil, false
		}
		p.list = append(p.list, s)
	}
	if len(p.list) == 0 {
		return nil, true
	}
	return slices.Clip(slices.Clone(p.list)), true
}

// A block hands out values that lie side by side in memory.
type block[T any] struct {
	free []T
	size int // of the last block
}

// next returns a zero value.
func (b *block[T]) next() *T {
	if len(b.free) == 0 {
		// Larger ones would be zeroed and swept one by one; what does not fill a size
		// of the allocator is lost.
		const most = 16 << 10
		b.size = min(max(1, 2*b.size), most/int(reflect.TypeFor[T]().Size()))
		b.free = make([]T, b.size)
	}
	v := &b.free[0]
	b.free = b.free[1:]
	return v
}

// A textBlock hands out strings that lie side by side in memory: each by itself would take
// what the allocator rounds it up to.
type textBlock struct {
	b    strings.Builder // what it holds stays as it is: it is never written past its room
	size int             // of the last block
}

// keep returns text as a string.
func (t *textBlock) keep(text []byte) string {
	if t.b.Cap()-t.b.Len() < len(text) {
		const most = 16 << 10
		t.size = max(min(2*t.size, most), len(text))
		t.b = strings.Builder{}
		t.b.Grow(t.size)
	}
	from := t.b.Len()
	t.b.Write(text)
	return t.b.String()[from:]
}
