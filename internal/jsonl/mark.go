package jsonl

import (
	"bytes"
	"fmt"
	"hash/crc64"
	"io"
	"strconv"
	"strings"
)

// A Mark is a position between two lines of a file, together with what stood
// before it. The zero Mark is the start of every file.
//
// The sum shows whether everything before the position is still what it was.
// CRC-64 is enough for that: it must notice edits, not attacks (who can write
// the file can also delete what was derived from it). It notices every change
// that fits in 64 bits in a row and misses one in 2^64 of the others; its state
// is 8 bytes, so that a sum can be continued from a Mark alone, which no
// cryptographic hash of the standard library offers in a form that fits on a
// line.
type Mark struct {
	Offset int64  // in bytes from the start of the file
	Lines  int    // how many lines begin before Offset
	Sum    uint64 // CRC-64 (ECMA) of the first Offset bytes
	// Open says that the last line before Offset had no line end yet. If the
	// next byte is one, it belongs to that line; if it is anything else, the
	// line has been changed.
	Open bool
}

// String returns a form that fits in a text without spaces; ParseMark reads it.
func (m Mark) String() string {
	var buf [64]byte // each line that is read has a position
	s := append(strconv.AppendInt(buf[:0], m.Offset, 10), '.')
	s = append(strconv.AppendInt(s, int64(m.Lines), 10), '.')
	s = strconv.AppendUint(s, m.Sum, 16)
	if m.Open {
		s = append(s, '+')
	}
	return string(s)
}

// ParseMark reads what String wrote.
func ParseMark(s string) (Mark, error) {
	var m Mark
	rest, open := strings.CutSuffix(s, "+")
	m.Open = open
	part := strings.Split(rest, ".")
	if len(part) != 3 {
		return Mark{}, fmt.Errorf("position %q: want offset.lines.sum", s)
	}
	var err error
	if m.Offset, err = strconv.ParseInt(part[0], 10, 64); err == nil {
		if m.Lines, err = strconv.Atoi(part[1]); err == nil {
			m.Sum, err = strconv.ParseUint(part[2], 16, 64)
		}
	}
	if err != nil || m.Offset < 0 || m.Lines < 0 || m.String() != s {
		return Mark{}, fmt.Errorf("position %q: want offset.lines.sum", s)
	}
	return m, nil
}

// Add returns the Mark behind lines, one or more whole lines with their ends
// that follow at m. It serves writers, which know what they appended; if m is
// Open, the end that Append gives to the last line is counted as well.
func (m Mark) Add(lines []byte) Mark {
	if m.Open {
		m.Sum = crc64.Update(m.Sum, sumTable(), newline())
		m.Offset++
		m.Open = false
	}
	m.Sum = crc64.Update(m.Sum, sumTable(), lines)
	m.Offset += int64(len(lines))
	m.Lines += bytes.Count(lines, newline())
	return m
}

// Holds reports whether the first m.Offset bytes of r are still those of m. It
// reads all of them.
func (m Mark) Holds(r io.ReaderAt) (bool, error) {
	var (
		sum uint64
		buf = make([]byte, min(max(m.Offset, 1), 64<<10))
	)
	for off := int64(0); off < m.Offset; {
		n, err := r.ReadAt(buf[:min(int64(len(buf)), m.Offset-off)], off)
		sum = crc64.Update(sum, sumTable(), buf[:n])
		off += int64(n)
		if err == io.EOF && off < m.Offset {
			return false, nil
		}
		if err != nil && err != io.EOF {
			return false, err
		}
	}
	if sum != m.Sum {
		return false, nil
	}
	return m.joins(r)
}

// joins reports whether the bytes at m.Offset go with m.Open.
func (m Mark) joins(r io.ReaderAt) (bool, error) {
	if !m.Open {
		return true, nil
	}
	var b [1]byte
	n, err := r.ReadAt(b[:], m.Offset)
	if err != nil && err != io.EOF {
		return false, err
	}
	return n == 0 || b[0] == '\n', nil
}

// sumTable is shared by the whole program; the standard library builds it once.
func sumTable() *crc64.Table { return crc64.MakeTable(crc64.ECMA) }

func newline() []byte { return []byte{'\n'} }
