package vectors

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"os"

	"ken/internal/regular"
)

const (
	magic      = "kenvec1\n"
	headBytes  = 64
	rowHead    = 88
	maxRef     = 63
	mostLength = 1 << 16
)

// ErrNone says that there are no vectors of the space: no file, one of another
// space, or one that cannot be read as any.
var ErrNone = errors.New("no vectors")

// ErrDamaged says of an ErrNone that there is a file, and that it is damaged.
var ErrDamaged = fmt.Errorf("%w: the file is damaged, or of another version", ErrNone)

// A Key is the sum of a text.
type Key [16]byte

// KeyOf sums up a text.
func KeyOf(text string) Key {
	sum := sha256.Sum256([]byte(text))
	return Key(sum[:16])
}

// A Space is what vectors were made by: only those of one space can be compared.
type Space [32]byte

// SpaceOf returns the space of a model at an address.
func SpaceOf(address, model string) Space {
	return sha256.Sum256([]byte(address + "\n" + model))
}

// A Row is the vector of an item's text.
type Row struct {
	Ref    string // of the item; one of more than 63 bytes is not kept
	Key    Key
	Vector []float32 // of length 1
}

// A File is a file of vectors that is open for reading. Close it.
type File struct {
	f      *os.File
	length int // of a vector
}

// Open opens the file at path. The error wraps ErrNone if there are no vectors
// of the space.
func Open(path string, space Space) (*File, error) {
	f, err := regular.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNone
	}
	if err != nil {
		return nil, fmt.Errorf("open vectors: %w", err)
	}
	length, err := readHead(f, space)
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return &File{f, length}, nil
}

// Close closes the file.
func (f *File) Close() error { return f.f.Close() }

// Length returns the number of numbers a vector has.
func (f *File) Length() int { return f.length }

func castagnoli(parts ...[]byte) uint32 {
	table, sum := crc32.MakeTable(crc32.Castagnoli), uint32(0)
	for _, p := range parts {
		sum = crc32.Update(sum, table, p)
	}
	return sum
}

func head(space Space, length int) []byte {
	h := make([]byte, headBytes)
	copy(h, magic)
	binary.LittleEndian.PutUint32(h[8:], uint32(length))
	copy(h[32:], space[:])
	binary.LittleEndian.PutUint32(h[28:], castagnoli(h[:28], h[32:]))
	return h
}

// readHead checks the header and gives the length of a vector.
func readHead(r io.ReaderAt, space Space) (int, error) {
	h := make([]byte, headBytes)
	if _, err := r.ReadAt(h, 0); errors.Is(err, io.EOF) {
		return 0, ErrDamaged
	} else if err != nil {
		return 0, fmt.Errorf("read vectors: %w", err)
	}
	length := binary.LittleEndian.Uint32(h[8:])
	switch {
	case string(h[:8]) != magic, binary.LittleEndian.Uint32(h[28:]) != castagnoli(h[:28], h[32:]), length == 0, length > mostLength:
		return 0, ErrDamaged
	case !bytes.Equal(h[32:], space[:]):
		return 0, fmt.Errorf("%w: they are another model's", ErrNone)
	}
	return int(length), nil
}

// A row is one row of a file, read; its fields are valid until the next one.
type row struct {
	ref   []byte
	key   Key
	scale float32 // of one step
	steps []byte  // int8
	whole []byte  // as it stands in the file
}

// rows reads the rows of a file; bad are those that are damaged.
func rows(ctx context.Context, f *os.File, length int, each func(*row)) (bad int, err error) {
	size := rowHead + length
	in := bufio.NewReaderSize(io.NewSectionReader(f, headBytes, math.MaxInt64-headBytes), max(1<<18, size))
	var r row
	for n := 0; ; n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return bad, context.Cause(ctx)
		}
		b, err := in.Peek(size)
		if errors.Is(err, io.EOF) {
			if len(b) > 0 {
				bad++ // it was cut off
			}
			return bad, nil
		}
		if err != nil {
			return bad, fmt.Errorf("read vectors: %w", err)
		}
		if r.parse(b) {
			each(&r)
		} else {
			bad++
		}
		_, _ = in.Discard(size) // it was just peeked at
	}
}

func (r *row) parse(b []byte) bool {
	most := math.Float32frombits(binary.LittleEndian.Uint32(b[4:]))
	n := int(b[24])
	if binary.LittleEndian.Uint32(b) != castagnoli(b[4:]) || n > maxRef || !(most > 0) || math.IsInf(float64(most), 0) {
		return false
	}
	r.ref, r.key, r.scale, r.steps = b[25:25+n], Key(b[8:24]), most/127, b[rowHead:]
	r.whole = b
	return true
}

// appendRow writes a row; nothing if its reference is too long.
func appendRow(dst []byte, r Row) []byte {
	if len(r.Ref) > maxRef {
		return dst
	}
	most := float32(0)
	for _, x := range r.Vector {
		most = max(most, float32(math.Abs(float64(x))))
	}
	b := make([]byte, rowHead, rowHead+len(r.Vector))
	binary.LittleEndian.PutUint32(b[4:], math.Float32bits(most))
	copy(b[8:], r.Key[:])
	b[24] = byte(len(r.Ref))
	copy(b[25:], r.Ref)
	for _, x := range r.Vector {
		b = append(b, byte(int8(math.Round(float64(x)/float64(most)*127))))
	}
	binary.LittleEndian.PutUint32(b, castagnoli(b[4:]))
	return append(dst, b...)
}
