package segment

import (
	"encoding/binary"
	"math"

	"ken/internal/index"
)

// The rows stand by columns: first 8 bytes, the earliest time; then for each column
// a byte, how many bytes a value takes there (0, 1, 2, 4 or 8); then the columns. A
// time is told as the seconds since the earliest and 1, and 0 if it is not known;
// the numbers of names, and of words, are 1 more than they are.
const (
	colTime = iota
	colScope
	colKind
	colSession
	colSpeaker
	colWords
	colFlags
	colImportance
	columns
)

const rowsHead = 8 + columns

// columnsOf are the values of a row.
func columnsOf(r *index.Row, earliest int64) [columns]uint64 {
	v := [columns]uint64{
		colScope: uint64(r.Scope + 1), colKind: uint64(r.Kind + 1), colSession: uint64(r.Session + 1),
		colSpeaker: uint64(r.Speaker + 1), colWords: uint64(r.Words) + 1, colFlags: uint64(r.Flags), colImportance: uint64(r.Importance),
	}
	if r.Time != index.NoTime {
		v[colTime] = uint64(r.Time) - uint64(earliest) + 1
	}
	return v
}

// encodeRows is the section of the rows.
func encodeRows(rows []index.Row) []byte {
	earliest := int64(math.MaxInt64)
	for i := range rows {
		if t := rows[i].Time; t != index.NoTime {
			earliest = min(earliest, t)
		}
	}
	var most [columns]uint64
	for i := range rows {
		for c, v := range columnsOf(&rows[i], earliest) {
			most[c] |= v
		}
	}
	b := binary.LittleEndian.AppendUint64(nil, uint64(earliest))
	size := 0
	for _, m := range most {
		b = append(b, byte(width(m)))
		size += width(m)
	}
	all := make([]byte, rowsHead+size*len(rows))
	copy(all, b)
	var at [columns]int
	for c := range at {
		at[c] = rowsHead
		if c > 0 {
			at[c] = at[c-1] + int(b[8+c-1])*len(rows)
		}
	}
	var room [8]byte
	for i := range rows {
		for c, v := range columnsOf(&rows[i], earliest) {
			w := int(b[8+c])
			binary.LittleEndian.PutUint64(room[:], v)
			copy(all[at[c]:], room[:w])
			at[c] += w
		}
	}
	return all
}

// width is how many bytes a value takes.
func width(v uint64) int {
	switch {
	case v == 0:
		return 0
	case v <= math.MaxUint8:
		return 1
	case v <= math.MaxUint16:
		return 2
	case v <= math.MaxUint32:
		return 4
	}
	return 8
}

// decodeRows reads the section of n rows; ok is false if it is none. names is how
// many names there are.
func decodeRows(b []byte, n, names int) (rows []index.Row, ok bool) {
	if len(b) < rowsHead {
		return nil, false
	}
	earliest := binary.LittleEndian.Uint64(b)
	var column [columns][]byte
	rest := b[rowsHead:]
	for c := range column {
		w := int(b[8+c])
		if w > 8 || w&(w-1) != 0 || w*n > len(rest) {
			return nil, false
		}
		column[c], rest = rest[:w*n], rest[w*n:]
	}
	if len(rest) > 0 {
		return nil, false
	}
	rows = make([]index.Row, n)
	// So many at a time that their values stay close to the processor.
	var values [columns][256]uint64
	most := uint64(0) // of the numbers of names
	words, flags, importance := uint64(0), uint64(0), uint64(0)
	for from := 0; from < n; from += len(values[0]) {
		some := rows[from:min(from+len(values[0]), n)]
		for c := range column {
			w := int(b[8+c])
			widen(values[c][:len(some)], column[c][from*w:], w)
		}
		for i := range some {
			k := i & (len(values[0]) - 1)
			scope, kind, session, speaker := values[colScope][k], values[colKind][k], values[colSession][k], values[colSpeaker][k]
			most = max(most, scope, kind, session, speaker)
			words = max(words, values[colWords][k])
			flags |= values[colFlags][k]
			importance |= values[colImportance][k]
			r := &some[i]
			r.Time = int64(earliest + values[colTime][k] - 1)
			if values[colTime][k] == 0 {
				r.Time = index.NoTime
			}
			r.Scope, r.Kind, r.Session, r.Speaker = int32(uint32(scope))-1, int32(uint32(kind))-1, int32(uint32(session))-1, int32(uint32(speaker))-1
			r.Words, r.Flags, r.Importance = int32(uint32(values[colWords][k]))-1, index.Flags(values[colFlags][k]), uint8(values[colImportance][k])
		}
	}
	return rows, most <= uint64(names) && words <= 1<<31 && flags <= math.MaxUint16 && importance <= math.MaxUint8
}

// widen reads len(to) values of w bytes each off b, which has as many.
func widen(to []uint64, b []byte, w int) {
	switch w {
	case 0:
		clear(to)
	case 1:
		b = b[:len(to)]
		for i := range to {
			to[i] = uint64(b[i])
		}
	case 2:
		for i := range to {
			to[i] = uint64(binary.LittleEndian.Uint16(b[2*i:]))
		}
	case 4:
		for i := range to {
			to[i] = uint64(binary.LittleEndian.Uint32(b[4*i:]))
		}
	case 8:
		for i := range to {
			to[i] = binary.LittleEndian.Uint64(b[8*i:])
		}
	}
}

// The names stand one after the other, each with its length before it as a
// varint.

func encodeNames(names []string) []byte {
	var b []byte
	for _, name := range names {
		b = append(binary.AppendUvarint(b, uint64(len(name))), name...)
	}
	return b
}

// decodeNames reads the section of n names; ok is false if it is none.
func decodeNames(b []byte, n int) (names []string, ok bool) {
	if n > len(b) {
		return nil, false
	}
	all := string(b) // one piece of memory for all of them
	d := decoder{b: b}
	names = make([]string, n)
	for i := range names {
		size := d.length()
		from := len(b) - len(d.b)
		if d.bytes(size); d.bad {
			return nil, false
		}
		names[i] = all[from : from+size]
	}
	return names, len(d.b) == 0
}
