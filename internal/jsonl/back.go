package jsonl

import (
	"bytes"
	"errors"
	"io"
	"iter"
)

// leastBack is how much LinesBack reads at first, in bytes: mostly enough.
const leastBack = 4 << 10

// LinesBack yields the lines of the first size bytes of r from the last one to the first, as Lines cuts them, but without
// Number and End, and with the byte order mark. It holds about limit bytes. The only errors are those of r, and
// io.ErrUnexpectedEOF if r is shorter; the loop ends with the first.
func LinesBack(r io.ReaderAt, size int64, limit int) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		t := tail{r: r, limit: limit, from: size}
		for end := size; end > 0; {
			line, err := t.line(end)
			if err != nil {
				yield(Line{}, err)
				return
			}
			if !yield(line, nil) {
				return
			}
			end = line.Offset
		}
	}
}

// A tail holds the bytes of r from an offset on.
type tail struct {
	r     io.ReaderAt
	limit int
	from  int64
	held  []byte
}

// line gives the line that ends at end, its line end included. What is behind end is held no more.
func (t *tail) line(end int64) (Line, error) {
	if t.from >= end {
		t.from, t.held = end, nil
		if err := t.grow(leastBack); err != nil {
			return Line{}, err
		}
	}
	t.held = t.held[:end-t.from]
	var line Line
	n := len(t.held)
	if line.Ended = t.held[n-1] == '\n'; line.Ended {
		n--
	}
	for {
		start := bytes.LastIndexByte(t.held[:n], '\n') + 1
		switch {
		case start > 0 || t.from == 0:
			line.Offset, line.Len = t.from+int64(start), int64(n-start)
			if line.Len <= int64(t.limit) {
				line.Bytes = t.held[start:n]
			}
			return line, nil
		case n > t.limit:
			body := t.from + int64(n)
			err := t.skip()
			line.Offset, line.Len = t.from, body-t.from
			return line, err
		}
		before := len(t.held)
		if err := t.grow(max(leastBack, before)); err != nil {
			return Line{}, err
		}
		n += len(t.held) - before
	}
}

// grow has up to n bytes more held, those before.
func (t *tail) grow(n int) error {
	n = int(min(int64(n), t.from))
	held := make([]byte, n, n+len(t.held))
	if err := t.read(held, t.from-int64(n)); err != nil {
		return err
	}
	t.from -= int64(n)
	t.held = append(held, t.held...)
	return nil
}

// skip goes back to the start of the line that t.from is in, and holds nothing.
func (t *tail) skip() error {
	block := make([]byte, 64<<10)
	t.held = nil
	for t.from > 0 {
		n := int(min(int64(len(block)), t.from))
		if err := t.read(block[:n], t.from-int64(n)); err != nil {
			return err
		}
		if start := bytes.LastIndexByte(block[:n], '\n') + 1; start > 0 {
			t.from -= int64(n - start)
			return nil
		}
		t.from -= int64(n)
	}
	return nil
}

// read fills b from an offset.
func (t *tail) read(b []byte, from int64) error {
	n, err := t.r.ReadAt(b, from)
	switch {
	case n == len(b):
		return nil
	case err == nil || errors.Is(err, io.EOF):
		return io.ErrUnexpectedEOF
	}
	return err
}
