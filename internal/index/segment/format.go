package segment

import (
	"encoding/binary"
	"hash/crc32"
	"math"
)

// A file has these parts, one after the other. Numbers of a fixed size are
// little-endian, others are varints as in package encoding/binary.
//
//	magic, 8 bytes; version, 4; index.Reading, 4
//	the sections, in the order of the constants below
//	sums: of each page of 4096 bytes of all that (the last may be shorter) its
//	  CRC-32, 4 bytes
//	footer: for each section 8 bytes, where it ends in the file; the first begins
//	  behind the header. Then how many documents, names and terms there are, 4
//	  bytes each; the CRC-32 of the sums and the footer up to here, 4 bytes; and
//	  the magic again
//
// What the sections hold is described where they are written.
const (
	magic   = "ken.idx\n"
	version = 2

	headerSize = len(magic) + 4 + 4
	footerSize = sections*8 + 3*4 + 4 + len(magic)

	pageSize = 4096
)

// The sections.
const (
	secPostings    = iota // lists of postings; dictionary.go says where each is
	secTerms              // the dictionary, in blocks
	secTermBlocks         // where each block begins in it, 4 bytes
	secRows               // what is known without the text
	secNames              // what their numbers stand for
	secLocators           // where the texts stand, in blocks
	secLocatorBlks        // where each block begins in them, 4 bytes
	secMeta               // the owner's
	sections
)

// checksum is the CRC-32 of b. It is that of IEEE: with the other one's polynomial a page takes
// as long, and its tables take .15 ms to make, which a search of conversations alone then spares.
func checksum(b []byte) uint32 { return crc32.ChecksumIEEE(b) }

// A decoder reads numbers and bytes off b. What is not there is 0, and bad
// afterwards.
type decoder struct {
	b   []byte
	bad bool
}

func (d *decoder) uvarint() uint64 {
	if len(d.b) > 0 && d.b[0] < 0x80 {
		v := d.b[0]
		d.b = d.b[1:]
		return uint64(v)
	}
	v, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.b, d.bad = nil, true
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) varint() int64 {
	v := d.uvarint()
	return int64(v>>1) ^ -int64(v&1)
}

// upTo reads a number that is at most most.
func (d *decoder) upTo(most uint64) uint64 {
	v := d.uvarint()
	if v > most {
		d.bad = true
		return 0
	}
	return v
}

// length reads a number of 31 bits.
func (d *decoder) length() int { return int(d.upTo(math.MaxInt32)) }

func (d *decoder) bytes(n int) []byte {
	if n < 0 || n > len(d.b) {
		d.b, d.bad = nil, true
		return nil
	}
	v := d.b[:n]
	d.b = d.b[n:]
	return v
}
