package jsonl

import (
	"bufio"
	"bytes"
	"errors"
	"hash/crc64"
	"io"
	"iter"
	"os"
)

// A Line is one line of a file, whatever it holds.
type Line struct {
	Number int   // from 1
	Offset int64 // of the first byte, from the start of the file
	Len    int64 // in bytes, without the line end
	// Bytes is the line without its '\n', and at the start of a file without a
	// byte order mark; nil if the line is longer than the limit. It is valid
	// until the next line is asked for.
	Bytes []byte
	Ended bool // the line has its '\n'
	End   Mark // just behind the line and its end
}

// Lines yields the lines of r, which begins at the start of a file. Lines end
// at '\n' only: '\r' and the separators of Unicode are content, and an empty
// line is a line. What follows the last '\n' is a line with Ended unset, unless
// it is empty.
//
// A line longer than limit bytes is passed over in bounded memory and yielded
// without its Bytes. The only errors are those of r; the loop ends with the
// first.
func Lines(r io.Reader, limit int) iter.Seq2[Line, error] { return LinesFrom(r, Mark{}, limit) }

// LinesFrom is Lines for a reader that begins at the mark at. If at is Open and
// the first byte is '\n', that byte still belongs to the line before.
func LinesFrom(r io.Reader, at Mark, limit int) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		s := splitter{r: bufio.NewReaderSize(r, bufferSize(r)), at: at, limit: limit}
		if at.Open {
			if err := s.joinOpen(); err != nil {
				endLines(yield, err)
				return
			}
		}
		for {
			line, err := s.next()
			if err != nil {
				endLines(yield, err)
				return
			}
			if !yield(line, nil) {
				return
			}
		}
	}
}

// bufferSize is as much as is worth reading at once: all of r if it knows that it
// is short, as the tail of a log mostly is, and most files of ken's own.
func bufferSize(r io.Reader) int {
	const least, most = 4 << 10, 64 << 10
	switch sized := r.(type) {
	case interface{ Size() int64 }:
		return int(min(most, sized.Size()+1))
	case *os.File:
		if fi, err := sized.Stat(); err == nil && fi.Mode().IsRegular() {
			return int(min(most, max(least, fi.Size()+1))) // it may be longer by then
		}
	}
	return most
}

func endLines(yield func(Line, error) bool, err error) {
	if !errors.Is(err, io.EOF) {
		yield(Line{}, err)
	}
}

// A splitter cuts what it reads into lines and sums it up.
type splitter struct {
	r     *bufio.Reader
	at    Mark
	limit int
	long  []byte // a line that did not fit the reader's buffer
}

// joinOpen takes the line end that the line before at lacked.
func (s *splitter) joinOpen() error {
	b, err := s.r.Peek(1)
	if err != nil {
		return err
	}
	s.at.Open = false
	if b[0] == '\n' {
		s.take(b)
		_, err = s.r.Discard(1)
	}
	return err
}

func (s *splitter) take(b []byte) {
	s.at.Sum = crc64.Update(s.at.Sum, sumTable(), b)
	s.at.Offset += int64(len(b))
}

// next gives the next line, or io.EOF.
func (s *splitter) next() (Line, error) {
	line := Line{Number: s.at.Lines + 1, Offset: s.at.Offset}
	s.long = s.long[:0]
	for {
		part, err := s.r.ReadSlice('\n')
		s.take(part)
		full, end := errors.Is(err, bufio.ErrBufferFull), errors.Is(err, io.EOF)
		switch {
		case err == nil:
			line.Ended = true
			part = part[:len(part)-1]
		case end && len(part) == 0 && line.Len == 0:
			return Line{}, io.EOF
		case !full && !end:
			return Line{}, err
		}
		before := line.Len
		line.Len += int64(len(part))
		switch {
		case line.Len > int64(s.limit):
			line.Bytes = nil
		case full, before > 0:
			s.long = append(s.long, part...)
			line.Bytes = s.long
		default:
			line.Bytes = part
		}
		if full {
			continue
		}
		s.at.Lines++
		s.at.Open = !line.Ended
		line.End = s.at
		if line.Offset == 0 && line.Bytes != nil {
			line.Bytes = bytes.TrimPrefix(line.Bytes, []byte("\ufeff"))
		}
		return line, nil
	}
}
