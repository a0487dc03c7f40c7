package segment

import (
	"encoding/binary"
	"math"
)

// The locators stand in blocks of blockLocators. Of each document
//
//	varint, varint, bytes   how much of the Ref before it this one begins with (of
//	                        the first 0), and the rest of it, with its length
//	varint                  how many lines it is made from
//
// and of each line
//
//	varint    how much more its file is than that of the line before, of the first
//	          line of a block than 0 (zigzag)
//	varint    how much further its offset is than the end of the line before; if
//	          that is of another file, than 0 (zigzag)
//	varint    its length
//	8 bytes   its sum
const blockLocators = 16

type locatorWriter struct {
	b      []byte
	blocks []byte
	n      int
	ref    string
	line   LineRef // the one before
}

func (w *locatorWriter) add(l Locator) error {
	shared := 0
	if w.n%blockLocators == 0 {
		if len(w.b) > maxSection-1<<20 {
			return errTooLarge
		}
		w.blocks = binary.LittleEndian.AppendUint32(w.blocks, uint32(len(w.b)))
		w.line = LineRef{}
	} else {
		for shared < min(len(w.ref), len(l.Ref)) && w.ref[shared] == l.Ref[shared] {
			shared++
		}
	}
	w.n++
	w.ref = l.Ref
	w.b = binary.AppendUvarint(w.b, uint64(shared))
	w.b = binary.AppendUvarint(w.b, uint64(len(l.Ref)-shared))
	w.b = append(w.b, l.Ref[shared:]...)
	w.b = binary.AppendUvarint(w.b, uint64(len(l.Lines)))
	for _, line := range l.Lines {
		w.b = binary.AppendVarint(w.b, int64(line.File)-int64(w.line.File))
		w.b = binary.AppendVarint(w.b, line.Offset-w.line.endIn(line.File))
		w.b = binary.AppendUvarint(w.b, uint64(line.Length))
		w.b = binary.LittleEndian.AppendUint64(w.b, line.Sum)
		w.line = line
	}
	return nil
}

// endIn is where the line ends, 0 if it is not of that file.
func (l LineRef) endIn(file uint32) int64 {
	if l.File != file {
		return 0
	}
	return l.Offset + int64(l.Length)
}

// A locatorCursor reads a block of locators.
type locatorCursor struct {
	decoder
	ref  []byte
	line LineRef
}

// next reads a locator. It is bad at the end of the block.
func (c *locatorCursor) next() Locator {
	shared := c.length()
	rest := c.bytes(c.length())
	if c.bad || shared > len(c.ref) {
		c.bad = true
		return Locator{}
	}
	c.ref = append(c.ref[:shared], rest...)
	n := c.length()
	if n > len(c.b) { // a line takes more than a byte
		c.bad = true
		return Locator{}
	}
	l := Locator{Ref: string(c.ref), Lines: make([]LineRef, n)}
	for i := range l.Lines {
		file := int64(c.line.File) + c.varint()
		if file < 0 || file > math.MaxUint32 {
			c.bad = true
			return Locator{}
		}
		line := LineRef{File: uint32(file)}
		line.Offset = c.line.endIn(line.File) + c.varint()
		line.Length = uint32(c.upTo(math.MaxUint32))
		sum := c.bytes(8)
		if c.bad || line.Offset < 0 || line.Offset > math.MaxInt64-math.MaxUint32 {
			c.bad = true
			return Locator{}
		}
		line.Sum = binary.LittleEndian.Uint64(sum)
		l.Lines[i], c.line = line, line
	}
	return l
}
