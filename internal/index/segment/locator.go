package segment

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
)

// The errors of reading a segment. What to do is the same: delete it, and build it
// again.
var (
	ErrCorrupt = errors.New("the segment is damaged")
	ErrVersion = errors.New("the segment is of another version")
)

// A Locator says where a document has its text from.
type Locator struct {
	Ref   string    // Document.Ref
	Lines []LineRef // the lines that it was made from, as the owner orders them
}

// A LineRef says where one line of a file is.
type LineRef struct {
	File   uint32 // as the owner numbers its files
	Length uint32 // in bytes
	Offset int64  // in bytes from the beginning of the file; not negative
	Sum    uint64 // SumOf its bytes
}

// SumOf returns a sum of the bytes of a line: the first 8 bytes of its SHA-256.
func SumOf(line []byte) uint64 {
	sum := sha256.Sum256(line)
	return binary.LittleEndian.Uint64(sum[:])
}

// Deleted is a set of documents of a segment that no longer count: document n is the
// bit n%8 of byte n/8. Bytes that are missing are 0, and nil is the empty set.
type Deleted []byte

// Add puts a document into the set. doc is not negative.
func (d *Deleted) Add(doc int32) {
	for int(doc/8) >= len(*d) {
		*d = append(*d, 0)
	}
	(*d)[doc/8] |= 1 << (doc % 8)
}

// Has reports whether the set has the document.
func (d Deleted) Has(doc int32) bool {
	return int(doc/8) < len(d) && d[doc/8]&(1<<(doc%8)) != 0
}

// any reports whether the set has a document.
func (d Deleted) any() bool {
	for _, b := range d {
		if b != 0 {
			return true
		}
	}
	return false
}
