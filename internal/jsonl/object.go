package jsonl

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math/bits"
	"unicode/utf8"
)

// MaxDepth is how deep the values of an object may be nested. Real lines nest
// three or four levels; the limit keeps a hostile line from using up the stack.
const MaxDepth = 1000

// A Field is one field of a JSON object as it stands on a line.
type Field struct {
	// Name is the field's name as text, its escapes resolved. Names are
	// compared byte by byte: case counts.
	Name []byte
	// Value is the field's value as it stands.
	Value Value
}

// A SyntaxError says where a line stops being a JSON object.
type SyntaxError struct {
	Offset  int    // of the byte that is wrong, from 0; the length of the line if it ends too early
	Problem string // what is wrong there, lower case
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("byte %d: %s", e.Offset, e.Problem)
}

// Object yields the fields of the JSON object that line holds, in their order,
// duplicates included. White space around the object is skipped. Name and
// Value are parts of line wherever they can be: nothing is copied but a name
// with escapes.
//
// The whole line is checked against RFC 8259, nested values too, as it is
// read: a line that is not one object ends with a *SyntaxError, and then what
// was yielded before it must not be used. The bytes of strings need not be
// UTF-8. A caller that breaks off leaves the rest unchecked.
func Object(line []byte) iter.Seq2[Field, error] {
	return func(yield func(Field, error) bool) {
		s := scanner{b: line}
		for {
			f, more, err := s.next()
			if err != nil {
				yield(Field{}, err)
				return
			}
			if !more || !yield(f, nil) {
				return
			}
		}
	}
}

// A scanner stands at byte i of b. The first error is final.
type scanner struct {
	b       []byte
	i       int
	started bool
	w       *window // what b is a part of; nil: b is all there is
}

func (s *scanner) fail(problem string) error {
	before := 0
	if s.w != nil {
		before = s.w.before
	}
	if s.i >= len(s.b) {
		return &SyntaxError{before + len(s.b), "the line ends too early"}
	}
	return &SyntaxError{before + s.i, problem}
}

// peek skips white space and returns the byte it then stands at, 0 at the end.
// (A NUL byte is legal nowhere, so the two need not be distinguished.)
func (s *scanner) peek() byte {
	for s.i < len(s.b) || s.more() {
		switch c := s.b[s.i]; c {
		case ' ', '\t', '\r', '\n':
			s.i++
		default:
			return c
		}
	}
	return 0
}

// next reads one field of the outermost object, or its end.
func (s *scanner) next() (f Field, more bool, err error) {
	first := !s.started
	if first {
		s.started = true
		if s.peek() != '{' {
			return f, false, s.fail("not an object")
		}
		s.i++
	}
	more, err = s.element('}', first)
	if err != nil {
		return f, false, err
	}
	if !more {
		if s.peek(); s.i < len(s.b) {
			return f, false, s.fail("text after the object")
		}
		return f, false, nil
	}
	if f.Name, err = s.name(); err != nil {
		return f, false, err
	}
	s.peek()
	start := s.hold()
	if err := s.value(1); err != nil {
		return f, false, err
	}
	f.Value = s.held(start)
	return f, true, nil
}

// element stands before an element of an object or array, or before its end.
// It reads the comma that separates two elements, or the end.
func (s *scanner) element(end byte, first bool) (more bool, err error) {
	c := s.peek()
	if c == end {
		s.i++
		return false, nil
	}
	if first {
		return true, nil
	}
	if c != ',' {
		return false, s.fail("want a comma or the end here")
	}
	s.i++
	if s.peek() == end {
		return false, s.fail("a comma before the end")
	}
	return true, nil
}

// name reads a field's name and the colon behind it.
func (s *scanner) name() ([]byte, error) {
	if s.peek() != '"' {
		return nil, s.fail("want the name of a field here")
	}
	start := s.hold()
	escaped, err := s.text()
	if err != nil {
		return nil, err
	}
	name := s.held(start)
	name = name[1 : len(name)-1 : len(name)-1]
	if escaped || !utf8.Valid(name) {
		name, _ = unescape(name)
	}
	return name, s.colon()
}

// colon reads the colon behind a name.
func (s *scanner) colon() error {
	if s.peek() != ':' {
		return s.fail("want a colon here")
	}
	s.i++
	return nil
}

// value reads one value of any type at the given depth of nesting.
func (s *scanner) value(depth int) error {
	if depth > MaxDepth {
		return s.fail(fmt.Sprintf("nested more than %d deep", MaxDepth))
	}
	switch c := s.peek(); c {
	case '"':
		_, err := s.text()
		return err
	case '{', '[':
		return s.nested(c+2, depth) // in ASCII, '}' and ']' stand two behind '{' and '['
	case 't':
		return s.word("true")
	case 'f':
		return s.word("false")
	case 'n':
		return s.word("null")
	default:
		return s.number()
	}
}

// nested reads an object or array inside the outermost object.
func (s *scanner) nested(end byte, depth int) error {
	s.i++
	for first := true; ; first = false {
		more, err := s.element(end, first)
		if err != nil || !more {
			return err
		}
		if end == '}' {
			if s.peek() != '"' {
				return s.fail("want the name of a field here")
			}
			if _, err := s.text(); err != nil {
				return err
			}
			if err := s.colon(); err != nil {
				return err
			}
		}
		if err := s.value(depth + 1); err != nil {
			return err
		}
	}
}

func (s *scanner) word(w string) error {
	for len(s.b)-s.i < len(w) && s.more() {
	}
	if len(s.b)-s.i < len(w) || string(s.b[s.i:s.i+len(w)]) != w {
		return s.fail("no JSON value")
	}
	s.i += len(w)
	return nil
}

// number reads -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?
func (s *scanner) number() error {
	if s.at('-') {
		s.i++
	}
	switch {
	case s.at('0'):
		s.i++
	case !s.digits():
		return s.fail("no JSON value")
	}
	if s.at('.') {
		s.i++
		if !s.digits() {
			return s.fail("want a digit here")
		}
	}
	if s.at('e') || s.at('E') {
		s.i++
		if s.at('+') || s.at('-') {
			s.i++
		}
		if !s.digits() {
			return s.fail("want a digit here")
		}
	}
	return nil
}

func (s *scanner) at(c byte) bool { return (s.i < len(s.b) || s.more()) && s.b[s.i] == c }

// digits skips digits and reports whether there was one.
func (s *scanner) digits() (some bool) {
	for (s.i < len(s.b) || s.more()) && s.b[s.i]-'0' <= 9 {
		s.i++
		some = true
	}
	return some
}

// text reads a string, from its opening to behind its closing quote, and
// reports whether it has escapes.
func (s *scanner) text() (escaped bool, err error) {
	s.i++
	for {
		if s.i = plain(s.b, s.i); s.i >= len(s.b) {
			if s.more() {
				continue
			}
			return false, s.fail("")
		}
		switch s.b[s.i] {
		case '"':
			s.i++
			return escaped, nil
		case '\\':
			escaped = true
			if err := s.escape(); err != nil {
				return false, err
			}
		default:
			return false, s.fail("a control character in a string")
		}
	}
}

// plain returns the index of the first byte of b at or behind i that does not
// stand for itself in a string: a quote, a backslash or a control character.
//
// It looks at eight bytes at a time. In x - 0x0101..01 & ^x & 0x8080..80 the
// lowest bit that is set belongs to the lowest byte of x that is zero (bits
// above it may be wrong, by the borrow); with x xored, or 0x20 subtracted
// instead, that finds a given byte, or one below 0x20.
func plain(b []byte, i int) int {
	const (
		ones  = 0x0101010101010101
		highs = 0x8080808080808080
	)
	for ; i+8 <= len(b); i += 8 {
		x := binary.LittleEndian.Uint64(b[i:])
		quote, slash := x^ones*'"', x^ones*'\\'
		hit := ((quote-ones)&^quote | (slash-ones)&^slash | (x-ones*0x20)&^x) & highs
		if hit != 0 {
			return i + bits.TrailingZeros64(hit)/8
		}
	}
	for ; i < len(b); i++ {
		if c := b[i]; c == '"' || c == '\\' || c < 0x20 {
			break
		}
	}
	return i
}

// escape reads one escape, from its backslash.
func (s *scanner) escape() error {
	s.i++
	if s.i >= len(s.b) && !s.more() {
		return s.fail("")
	}
	switch s.b[s.i] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.i++
		return nil
	case 'u':
		s.i++
		for range 4 {
			if s.i >= len(s.b) && !s.more() || !isHex(s.b[s.i]) {
				return s.fail("want four hexadecimal digits here")
			}
			s.i++
		}
		return nil
	}
	return s.fail("no such escape")
}

func isHex(c byte) bool {
	return c-'0' <= 9 || c|0x20 >= 'a' && c|0x20 <= 'f'
}
