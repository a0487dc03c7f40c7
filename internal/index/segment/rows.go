package segment

import (
	"encoding/binary"
	"math"

	"ken/internal/dates/said"
	"ken/internal/index"
)

// The rows stand by columns: first 8 bytes, the earliest time; then for each column
// a byte, how many bytes a value takes there (0, 1, 2, 4 or 8); then the columns. A
// time is stored as the seconds since the earliest and 1, and 0 if it is not known;
// the numbers of names, and of words, are 1 more than they are. The first of the days
// that a text speaks of is a zigzag number, as signed varints are.
const (
	colTime = iota
	colScope
	colKind
	colSession
	colSpeaker
	colWords
	colFlags
	colImportance
	colDays   // how many the text speaks of
	colDaysAt // the first of them
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
	if d := r.Days; d.Any() {
		v[colDays] = uint64(int64(d.To) - int64(d.From) + 1)
		v[colDaysAt] = uint64(uint32(d.From)<<1 ^ uint32(d.From>>31))
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

// columnsAt says where the columns are in the section of the rows, and how many
// bytes a value takes there.
type columnsAt struct {
	earliest uint64
	at       [columns]uint64
	width    [columns]int
}

// readColumns reads how the section of n rows begins, which has size bytes; ok is
// false if it is none.
func readColumns(b []byte, n int, size uint64) (c columnsAt, ok bool) {
	if len(b) < rowsHead {
		return c, false
	}
	c.earliest = binary.LittleEndian.Uint64(b)
	at := uint64(rowsHead)
	for i := range c.at {
		w := int(b[8+i])
		if w > 8 || w&(w-1) != 0 {
			return c, false
		}
		c.at[i], c.width[i] = at, w
		at += uint64(w) * uint64(n)
	}
	return c, at == size
}

// blockColumn is how many values of a column are read at a time: these rows are
// asked for together most often.
const blockColumn = 16

// decode reads len(to) rows off the values of their columns;
// false if these are none. names is how many names there are.
func (c *columnsAt) decode(column [columns][]byte, to []index.Row, names int) bool {
	const block = blockColumn
	var times [block]uint64
	var scopes, kinds, sessions, speakers, words, flags, importances, days, daysAt [block]uint32
	most, mostWords, allFlags, allImportance := uint32(0), uint32(0), uint32(0), uint32(0)
	for from := 0; from < len(to); from += block {
		some := to[from:min(from+block, len(to))]
		size := len(some)
		good := true
		for n, values := range [columns][]uint32{nil, scopes[:size], kinds[:size], sessions[:size], speakers[:size], words[:size], flags[:size], importances[:size], days[:size], daysAt[:size]} {
			w := c.width[n]
			b := column[n][from*w:]
			if n == colTime {
				widen(times[:size], b, w)
			} else {
				good = widen(values, b, w) && good
			}
		}
		if !good {
			return false
		}
		for k := range some {
			r := &some[k]
			r.Time = int64(c.earliest + times[k] - 1)
			if times[k] == 0 {
				r.Time = index.NoTime
			}
			r.Scope, r.Kind, r.Session, r.Speaker = int32(scopes[k])-1, int32(kinds[k])-1, int32(sessions[k])-1, int32(speakers[k])-1
			r.Words, r.Flags, r.Importance = int32(words[k])-1, index.Flags(flags[k]), uint8(importances[k])
			r.Days = said.None()
			if n := days[k]; n > 0 {
				first := int32(daysAt[k]>>1) ^ -int32(daysAt[k]&1)
				r.Days = said.Days{From: first, To: first + int32(n-1)}
				good = good && r.Days.Any()
			}
			most = max(most, scopes[k], kinds[k], sessions[k], speakers[k])
			mostWords, allFlags, allImportance = max(mostWords, words[k]), allFlags|flags[k], allImportance|importances[k]
		}
		if !good {
			return false
		}
	}
	return int(most) <= names && mostWords <= 1<<31 && allFlags <= math.MaxUint16 && allImportance <= math.MaxUint8
}

// fillColumns reads some columns of the rows from first on.
func (s *Segment) fillColumns(standing bool, first int, to []index.Row) error {
	return s.use(func() error {
		for from := 0; from < len(to); from += blockColumn {
			if err := s.fillFew(standing, first+from, to[from:min(from+blockColumn, len(to))]); err != nil {
				return err
			}
		}
		return nil
	})
}

// fillFew is fillColumns of no more than blockColumn rows, in use.
func (s *Segment) fillFew(standing bool, first int, to []index.Row) error {
	var times [blockColumn]uint64
	var flags, scopes, others [blockColumn]uint32
	other := colSession
	if standing {
		other = colKind
		if err := readColumn(s, times[:len(to)], colTime, first); err != nil {
			return err
		}
	}
	for _, c := range [...]struct {
		column int
		values *[blockColumn]uint32
	}{{colFlags, &flags}, {colScope, &scopes}, {other, &others}} {
		if err := readColumn(s, c.values[:len(to)], c.column, first); err != nil {
			return err
		}
	}
	most, allFlags := uint32(0), uint32(0)
	for i := range to {
		r := index.Row{Flags: index.Flags(flags[i]), Scope: int32(scopes[i]) - 1, Kind: -1, Session: -1, Speaker: -1, Time: index.NoTime}
		if standing {
			r.Kind = int32(others[i]) - 1
		} else {
			r.Session = int32(others[i]) - 1
		}
		if times[i] > 0 {
			r.Time = int64(s.columns.earliest + times[i] - 1)
		}
		to[i] = r
		most, allFlags = max(most, scopes[i], others[i]), allFlags|flags[i]
	}
	if int(most) > s.names || allFlags > math.MaxUint16 {
		return s.corrupt("the rows")
	}
	return nil
}

// readColumn reads the values of a column from row first on.
func readColumn[T uint32 | uint64](s *Segment, to []T, column, first int) error {
	w := s.columns.width[column]
	b, err := s.part(secRows, s.columns.at[column]+uint64(w)*uint64(first), uint64(w)*uint64(len(to)))
	if err == nil && !widen(to, b, w) {
		err = s.corrupt("the rows")
	}
	return err
}

// widen reads len(to) values of w bytes each off b, which has as many; false if
// they are too wide.
func widen[T uint32 | uint64](to []T, b []byte, w int) bool {
	switch w {
	case 0:
		clear(to)
	case 1:
		b = b[:len(to)]
		for i := range to {
			to[i] = T(b[i])
		}
	case 2:
		for i := range to {
			to[i] = T(binary.LittleEndian.Uint16(b))
			b = b[2:]
		}
	case 4:
		for i := range to {
			to[i] = T(binary.LittleEndian.Uint32(b))
			b = b[4:]
		}
	default:
		for i := range to {
			v := binary.LittleEndian.Uint64(b)
			if to[i] = T(v); uint64(to[i]) != v {
				return false
			}
			b = b[8:]
		}
	}
	return true
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
