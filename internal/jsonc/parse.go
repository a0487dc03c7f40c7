package jsonc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

// ErrShape says that something that is no object stands where one is to hold a key.
var ErrShape = errors.New("no object")

// ErrList says that something that is no list stands where one is to hold an element.
var ErrList = errors.New("no list")

// A Fault is what a text has that its reader refuses.
type Fault struct {
	Line, Column int // from 1; the column in bytes
	What         string
}

func (f *Fault) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", f.Line, f.Column, f.What)
}

// A Reader is what a program takes beyond JSON.
type Reader struct{ Comments, TrailingCommas bool }

const (
	mark    = "\ufeff" // a byte order mark
	spaces  = " \t\r\n"
	blanks  = " \t"
	deepest = 1000 // the parser calls itself for each level
)

// A text is a file that is edited.
type text struct {
	mark string
	src  []byte // without the mark
	nl   string // how a line ends here
	unit string // of indentation
	root hujson.Value
}

// read parses src. A blank text is one of an empty object.
func read(src []byte) (*text, error) {
	t := &text{nl: "\n", unit: "  ", src: src}
	if bytes.HasPrefix(src, []byte(mark)) {
		t.mark, t.src = mark, src[len(mark):]
	}
	if len(bytes.Trim(t.src, spaces)) == 0 {
		t.src = []byte("{}\n")
	}
	if at, deep := tooDeep(t.src); deep {
		return nil, t.fault(at, "nested too deeply")
	}
	root, err := hujson.Parse(t.src)
	if err != nil { // the parser wants an end of the line behind a comment
		var ended error
		if root, ended = hujson.Parse(append(bytes.Clone(t.src), '\n')); ended != nil {
			return nil, syntax(err)
		}
	}
	t.root = root
	if i := bytes.IndexByte(t.src, '\n'); i > 0 && t.src[i-1] == '\r' {
		t.nl = "\r\n"
	}
	if b, ok := t.box(root); ok && len(b.items) > 0 {
		if in, first := t.ownLine(b, b.items[0]); first && in != "" {
			t.unit = in
		}
	}
	return t, nil
}

// tooDeep reports where brackets, those in strings and comments with them, are open beyond the deepest level.
func tooDeep(src []byte) (at int, deep bool) {
	open := 0
	for i, c := range src {
		switch c {
		case '{', '[':
			if open++; open > deepest {
				return i, true
			}
		case '}', ']':
			open = max(open-1, 0)
		}
	}
	return 0, false
}

// syntax is an error of the parser, which has its place in its words.
func syntax(err error) error {
	var f Fault
	if n, _ := fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &f.Line, &f.Column); n < 2 {
		return err
	}
	_, f.What, _ = strings.Cut(strings.TrimPrefix(err.Error(), "hujson: "), ": ")
	return &f
}

func (t *text) fault(at int, what string) *Fault {
	line := bytes.Count(t.src[:at], []byte("\n"))
	return &Fault{line + 1, at - bytes.LastIndexByte(t.src[:at], '\n'), what}
}

// Check returns the first *Fault that a reader finds in src; a blank text has none.
func Check(src []byte, r Reader) error {
	t, err := read(src)
	if err != nil {
		return err
	}
	var found *Fault
	tell := func(at int, what string) {
		if f := t.fault(at, what); found == nil || f.Line < found.Line || f.Line == found.Line && f.Column < found.Column {
			found = f
		}
	}
	for v := range t.root.All() {
		for _, extra := range []struct {
			at   int
			text []byte
		}{{v.StartOffset - len(v.BeforeExtra), v.BeforeExtra}, {v.EndOffset, v.AfterExtra}} {
			if i := bytes.IndexByte(extra.text, '/'); i >= 0 && !r.Comments {
				tell(extra.at+i, "a comment, which its program does not take")
			}
		}
		b, ok := t.box(*v)
		if list, is := t.list(*v); is {
			b, ok = list, true
		}
		if !ok {
			continue
		}
		rest := b.open + 1
		if len(b.items) > 0 {
			last := b.items[len(b.items)-1]
			if rest = last.end; last.comma >= 0 {
				rest = last.comma + 1
				if !r.TrailingCommas {
					tell(last.comma, "a comma before the end, which its program does not take")
				}
			}
		}
		if i := bytes.IndexByte(t.src[rest:b.end], '/'); i >= 0 && !r.Comments {
			tell(rest+i, "a comment, which its program does not take")
		}
	}
	if found == nil {
		return nil
	}
	return found
}

// Decode is what src says, as encoding/json has it, with numbers as they are written.
func Decode(src []byte) (any, error) {
	t, err := read(src)
	if err != nil {
		return nil, err
	}
	return decode(t.root)
}

func decode(v hujson.Value) (any, error) {
	v = v.Clone()
	v.Standardize()
	var is any
	d := json.NewDecoder(bytes.NewReader(v.Pack()))
	d.UseNumber()
	return is, d.Decode(&is)
}

// Get is what stands at keys, as Decode has it; there is false if nothing does.
func Get(src []byte, keys ...string) (is any, there bool, err error) {
	t, err := read(src)
	if err != nil {
		return nil, false, err
	}
	at := t.root
	for _, key := range keys {
		b, ok := t.box(at)
		i := b.last(key)
		if !ok || i < 0 {
			return nil, false, nil
		}
		at = b.items[i].value
	}
	is, err = decode(at)
	return is, err == nil, err
}

// A box is an object or a list in a text.
type box struct {
	open, end int // the offsets of its brackets
	items     []entry
}

// An entry is a member of an object, or an element of a list.
type entry struct {
	key        string
	start, end int // offsets: of the name, of the element where there is none, and behind the value
	comma      int // the offset of the comma behind it; -1: there is none
	value      hujson.Value
}

// box is the object that v is.
func (t *text) box(v hujson.Value) (b box, ok bool) {
	o, ok := v.Value.(*hujson.Object)
	if !ok {
		return b, false
	}
	b = box{open: v.StartOffset, end: v.EndOffset - 1}
	for _, m := range o.Members {
		it := t.entry(b, m.Value)
		it.start = m.Name.StartOffset
		if name, ok := m.Name.Value.(hujson.Literal); ok {
			it.key = name.String()
		}
		b.items = append(b.items, it)
	}
	return b, true
}

// list is the array that v is: a box whose entries have no keys.
func (t *text) list(v hujson.Value) (b box, ok bool) {
	a, ok := v.Value.(*hujson.Array)
	if !ok {
		return b, false
	}
	b = box{open: v.StartOffset, end: v.EndOffset - 1}
	for _, e := range a.Elements {
		b.items = append(b.items, t.entry(b, e))
	}
	return b, true
}

// entry is a value in b, with the comma behind it.
func (t *text) entry(b box, v hujson.Value) entry {
	it := entry{start: v.StartOffset, end: v.EndOffset, comma: -1, value: v}
	if c := it.end + len(v.AfterExtra); c < b.end && t.src[c] == ',' {
		it.comma = c
	}
	return it
}

// last is the place of the member that counts for a key; -1 if there is none.
func (b box) last(key string) int {
	for i := len(b.items) - 1; i >= 0; i-- {
		if b.items[i].key == key {
			return i
		}
	}
	return -1
}

// count is how often a key stands in the object.
func (b box) count(key string) (n int) {
	for _, it := range b.items {
		if it.key == key {
			n++
		}
	}
	return n
}

// ownLine is the indentation of a member that is the first on its line, in a box that began before.
func (t *text) ownLine(b box, it entry) (indent string, first bool) {
	i := it.start
	for i > b.open+1 && strings.IndexByte(blanks, t.src[i-1]) >= 0 {
		i--
	}
	return string(t.src[i:it.start]), t.src[i-1] == '\n'
}

// lineIndent is the indentation of the line that at is on.
func (t *text) lineIndent(at int) string {
	line := t.src[bytes.LastIndexByte(t.src[:at], '\n')+1 : at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, blanks))])
}
