package jsonl

import (
	"bufio"
	"errors"
	"io"
)

// longestEscape is that of an escape in a string, in bytes.
const longestEscape = len(`\u0041`)

// Shorten reads a line, without its end, from r and returns it with the inside of each string cut to at most most bytes. So
// of a line of any length little is held, since it is strings that make lines long. Object yields of the shorter line what
// it yields of the whole one: the same names and types in the same order, every value that has no longer string unchanged,
// and an error if there is one in the whole line. The only errors are those of r.
func Shorten(r io.Reader, most int) ([]byte, error) {
	in := bufio.NewReaderSize(r, 32<<10)
	s := shortener{most: most}
	for {
		// As much as there is, and at least one escape, unless that is the end.
		b, err := in.Peek(longestEscape)
		if len(b) == 0 {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return s.out, err
		}
		b, _ = in.Peek(in.Buffered()) // it is there
		n, ok := s.take(b)
		if !ok {
			return s.out, nil
		}
		if _, err := in.Discard(n); err != nil {
			return nil, err
		}
	}
}

// A shortener writes a line with its strings cut.
type shortener struct {
	out    []byte
	most   int
	inside bool // it stands in a string
	kept   int  // bytes of that string
}

// take takes n bytes, at least one, from the start of b. ok is false if they are no JSON, and out then is none.
func (s *shortener) take(b []byte) (n int, ok bool) {
	if !s.inside {
		for n < len(b) && !s.inside {
			s.inside = b[n] == '"'
			n++
		}
		s.out, s.kept = append(s.out, b[:n]...), 0
		return n, true
	}
	n = plain(b, 0)
	s.keep(b[:n], true)
	switch {
	case n == len(b):
		return n, true
	case b[n] == '"':
		s.out, s.inside = append(s.out, '"'), false
		return n + 1, true
	case b[n] == '\\' && n > 0 && len(b)-n < longestEscape:
		return n, true // the rest of it may come
	case b[n] == '\\':
		at := scanner{b: b[n:min(n+longestEscape, len(b))]}
		if at.escape() == nil {
			s.keep(b[n:n+at.i], false)
			return n + at.i, true
		}
	}
	s.out = append(s.out, 0) // what is wrong there may be cut off: this is as wrong
	return 0, false
}

// keep keeps text of a string as far as there is room for it; of an escape, all or nothing.
func (s *shortener) keep(text []byte, part bool) {
	if room := s.most - s.kept; len(text) > room {
		s.kept = s.most // what follows does not join on
		if !part {
			return
		}
		text = text[:room]
	}
	s.out = append(s.out, text...)
	s.kept = min(s.kept+len(text), s.most)
}
