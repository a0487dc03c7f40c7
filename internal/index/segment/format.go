package segment

import (
	"encoding/binary"
	"errors"
	"hash/crc32"

	"ken/internal/index"
)

// magic begins every segment. Its last byte but one is the version of the format,
// and of how texts are read: a change in package index that gives other terms or
// rows takes another one.
const magic = "kenseg\x01\n"

// The sections, in their order in the file.
const (
	secRows = iota
	secNames
	secPlaces
	secDocs
	secBlocks
	secTerms
	secPostings
	secMeta
	sections
)

// blockTerms is how many terms stand between two offsets of secBlocks.
const blockTerms = 16

// headerSize is magic, the number of documents and of terms, then offset, length
// and sum of each section, then the sum of all that.
const headerSize = len(magic) + 4 + 4 + sections*(8+8+4) + 4

// Errors of Open.
var (
	// ErrVersion says that another version of ken made the file.
	ErrVersion = errors.New("a segment of another version")
	// ErrCorrupt says that the file is no segment, or not the one that was
	// written.
	ErrCorrupt = errors.New("no whole segment")
)

// sum is the sum of a section.
func sum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

// rowSize is how many bytes a row takes.
const rowSize = 8 + 5*4 + 2 + 1

// appendRow writes a row; rowAt reads it.
func appendRow(b []byte, r *index.Row) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(r.Time))
	for _, n := range [...]int32{r.Scope, r.Kind, r.Session, r.Speaker, r.Words} {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	return append(binary.LittleEndian.AppendUint16(b, uint16(r.Flags)), r.Importance)
}

func rowAt(b []byte) index.Row {
	b = b[:rowSize:rowSize]
	number := func(at int) int32 { return int32(binary.LittleEndian.Uint32(b[at:])) }
	return index.Row{
		Time: int64(binary.LittleEndian.Uint64(b)), Scope: number(8), Kind: number(12), Session: number(16), Speaker: number(20), Words: number(24),
		Flags: index.Flags(binary.LittleEndian.Uint16(b[28:])), Importance: b[30],
	}
}

// A Line is a line of a file that a document was made from.
type Line struct {
	File   uint32 // a number that the owner of the segment understands
	Offset int64  // of the first byte
	Len    int64  // in bytes, without line end
	Sum    uint32 // of the bytes
}
