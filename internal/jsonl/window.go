package jsonl

import (
	"errors"
	"io"
	"iter"
)

// leastWindow is how much of an object is read at once, in bytes.
const leastWindow = 32 << 10

// ObjectIn is Object of a line that r reads, without its end, in memory that does not grow with it. A name of more than
// most bytes is yielded empty, and so is a value: as "", [] or {}, or as 0 if it is a number. Names and values stay
// valid. Errors of r are those of r; the loop ends with the first error.
func ObjectIn(r io.Reader, most int) iter.Seq2[Field, error] {
	return func(yield func(Field, error) bool) {
		w := &window{r: r, most: most, buf: make([]byte, most+leastWindow), mark: -1}
		s := scanner{w: w}
		for {
			f, more, err := s.next()
			if w.err != nil && !errors.Is(w.err, io.EOF) {
				err = w.err
			}
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

// A window is the part of an object that is held while it is read.
type window struct {
	r      io.Reader
	err    error // why there is no more
	buf    []byte
	before int // bytes that were read and are not held any more
	most   int
	mark   int  // in what is held: where a name or a value begins that is kept; -1: none is
	first  byte // of that
}

// more has at least one more byte in s.b, and drops those before s.i that are not kept.
func (s *scanner) more() bool {
	w := s.w
	if w == nil || w.err != nil {
		return false
	}
	from := s.i
	switch {
	case w.mark >= 0 && s.i-w.mark > w.most:
		w.mark = -1 // it is too long
	case w.mark >= 0:
		from = w.mark
		w.mark = 0
	}
	n := copy(w.buf, s.b[from:])
	w.before += from
	s.i -= from
	var got int
	for got == 0 && w.err == nil {
		got, w.err = w.r.Read(w.buf[n:])
	}
	s.b = w.buf[:n+got]
	return got > 0
}

// hold begins a name or a value that is kept, and returns where it begins.
func (s *scanner) hold() (start int) {
	if s.w != nil && (s.i < len(s.b) || s.more()) {
		s.w.mark, s.w.first = s.i, s.b[s.i]
	}
	return s.i
}

// held is what was read since hold.
func (s *scanner) held(start int) []byte {
	if s.w == nil {
		return s.b[start:s.i:s.i]
	}
	from := s.w.mark
	s.w.mark = -1
	if from >= 0 && s.i-from <= s.w.most {
		return append([]byte(nil), s.b[from:s.i]...)
	}
	switch s.w.first {
	case '"':
		return []byte(`""`)
	case '{':
		return []byte(`{}`)
	case '[':
		return []byte(`[]`)
	}
	return []byte("0")
}
