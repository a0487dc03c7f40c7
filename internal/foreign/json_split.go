package foreign

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"

	"ken/internal/jsonl"
)

// MaxPiece is the longest value that is read, in bytes: a conversation of many
// years fits in it. It bounds the memory that an import takes.
const maxPiece = 64 << 20

var (
	// ErrTooLong says that a value is longer than MaxPiece.
	errTooLong = fmt.Errorf("longer than %d MiB", maxPiece>>20)
	// ErrCutOff says that the file ends in the middle of a value or a list.
	ErrCutOff = errors.New("cut off: the file ends in the middle")
	// ErrStray says that what stands somewhere is no JSON, or none that may stand there.
	ErrStray = errors.New("not JSON here")
)

// A Piece is one JSON value of a file and where it stands. It is valid until the
// next one is asked for.
type piece struct {
	Name   string // of the field whose list it stands in, or whose value it is
	Bytes  []byte
	Line   int   // from 1
	Offset int64 // of its first byte
	Err    error // why it cannot be read; then Bytes is nil
}

// Pieces yields the values of r one by one, so that a file of any length takes no
// more memory than its largest value. They are cut apart by their brackets alone:
// one that is damaged inside costs itself. The error is that of r.
func pieces(r *bufio.Reader, s shape) iter.Seq2[piece, error] {
	return func(yield func(piece, error) bool) {
		if s == inLines {
			pieceLines(r, yield)
			return
		}
		sp := splitter{r: r, line: 1, yield: yield}
		if bom, _ := r.Peek(3); string(bom) == "\xef\xbb\xbf" {
			sp.skip(bom)
		}
		for sp.err == nil {
			switch c := sp.next(); {
			case sp.err != nil:
			case c == '[':
				sp.one()
				sp.elements("")
			case c == '{' && s == InFields:
				sp.one()
				sp.fields()
			default:
				sp.value("")
			}
		}
		if !errors.Is(sp.err, io.EOF) && !sp.stopped {
			yield(piece{}, sp.err)
		}
	}
}

func pieceLines(r io.Reader, yield func(piece, error) bool) {
	for l, err := range jsonl.Lines(r, maxPiece) {
		if err != nil {
			yield(piece{}, err)
			return
		}
		p := piece{Bytes: l.Bytes, Line: l.Number, Offset: l.Offset}
		if l.Bytes == nil {
			p.Err = errTooLong
		} else if len(bytes.TrimSpace(l.Bytes)) == 0 {
			continue
		}
		if !yield(p, nil) {
			return
		}
	}
}

// A splitter cuts a stream of JSON into values. Its first error is final; io.EOF
// is the end.
type splitter struct {
	r       *bufio.Reader
	line    int
	offset  int64
	buf     []byte
	yield   func(piece, error) bool
	stopped bool
	cut     bool // that the file ends in the middle was reported
	err     error
}

// skip passes over bytes that were peeked at.
func (s *splitter) skip(b []byte) {
	s.line += bytes.Count(b, []byte{'\n'})
	s.offset += int64(len(b))
	_, err := s.r.Discard(len(b))
	s.fail(err)
}

func (s *splitter) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// one passes over one byte, which is no line end.
func (s *splitter) one() {
	s.offset++
	_, err := s.r.Discard(1)
	s.fail(err)
}

// chunk is what can be looked at without reading, at least one byte.
func (s *splitter) chunk() []byte {
	if s.err != nil {
		return nil
	}
	if _, err := s.r.Peek(1); err != nil {
		s.err = err
		return nil
	}
	b, err := s.r.Peek(s.r.Buffered())
	s.fail(err)
	return b
}

// next passes over space and commas and is the byte that follows.
func (s *splitter) next() byte {
	for {
		b := s.chunk()
		if s.err != nil {
			return 0
		}
		rest := bytes.TrimLeft(b, " \t\r\n,")
		n := len(b) - len(rest)
		s.skip(b[:n:n])
		if len(rest) > 0 {
			return rest[0]
		}
	}
}

func (s *splitter) give(p piece) {
	if !s.yield(p, nil) {
		s.stopped = true
		s.fail(io.EOF)
	}
}

// ended reports, once, that the file ends before a list or object does.
func (s *splitter) ended(name string) {
	if !s.stopped && !s.cut {
		s.cut = true
		s.give(piece{Name: name, Line: s.line, Offset: s.offset, Err: ErrCutOff})
	}
}

// elements yields what stands in a list that is open.
func (s *splitter) elements(name string) {
	for {
		switch c := s.next(); {
		case errors.Is(s.err, io.EOF):
			s.ended(name)
			return
		case s.err != nil:
			return
		case c == ']':
			s.one()
			return
		default:
			s.value(name)
		}
	}
}

// fields yields the values of an object that is open, of lists their elements.
func (s *splitter) fields() {
	for {
		c := s.next()
		switch {
		case errors.Is(s.err, io.EOF):
			s.ended("")
			return
		case s.err != nil:
			return
		case c == '}':
			s.one()
			return
		case c != '"':
			s.value("")
			continue
		}
		p := s.read()
		name, _ := jsonl.Value(p.Bytes).Text()
		if c = s.next(); s.err != nil {
			continue
		}
		if p.Err != nil || c != ':' {
			s.give(piece{Line: p.Line, Offset: p.Offset, Err: ErrStray})
			continue
		}
		s.one()
		if c = s.next(); s.err != nil {
			continue
		}
		if c == '[' {
			s.one()
			s.elements(name)
		} else if c != '}' {
			s.value(name)
		}
	}
}

// value yields the value that follows.
func (s *splitter) value(name string) {
	p := s.read()
	p.Name = name
	if !s.stopped && (s.err == nil || errors.Is(s.err, io.EOF)) {
		s.give(p)
	}
}

// read reads the value that begins at the next byte.
func (s *splitter) read() piece {
	p := piece{Line: s.line, Offset: s.offset}
	s.buf = s.buf[:0]
	depth, inString, escaped := 0, false, false
	for {
		b := s.chunk()
		if s.err != nil {
			if errors.Is(s.err, io.EOF) && (depth > 0 || inString) {
				p.Err, s.cut = ErrCutOff, true
			}
			break
		}
		end, done := len(b), false
		for i, c := range b {
			switch {
			case escaped:
				escaped = false
			case inString && c == '\\':
				escaped = true
			case c == '"':
				inString = !inString
				done = !inString && depth == 0
			case inString:
			case c == '{' || c == '[':
				depth++
			case c == '}' || c == ']':
				if depth == 0 { // it belongs to what is around, or to nothing
					end, done = i, true
					break
				}
				depth--
				done = depth == 0
			case depth == 0 && (c == ',' || c == ':' || c == ' ' || c == '\n' || c == '\r' || c == '\t'):
				end, done = i, true
			}
			if done {
				end = min(end, i+1)
				break
			}
		}
		if done && end == 0 && len(s.buf) == 0 && s.offset == p.Offset { // a bracket or colon that is too much
			end, p.Err = 1, ErrStray
		}
		if len(s.buf)+end > maxPiece {
			p.Err = errTooLong
		}
		if p.Err == nil {
			s.buf = append(s.buf, b[:end]...)
		}
		s.skip(b[:end:end])
		if done {
			break
		}
	}
	if p.Err == nil {
		p.Bytes = s.buf
	}
	return p
}
