package index

import (
	"slices"
	"sync"
	"sync/atomic"
)

// blockRows is how many rows are read when one is asked for: what a word finds lies far
// apart. roomRows is how many are when all are.
const (
	blockRows = 16
	roomRows  = 64
)

// Rows are the rows of the documents of a corpus, by their numbers. A reader may
// read them when they are asked for; Err returns what fails then. They are safe
// for concurrent use.
type Rows struct {
	n          int
	deleted    []byte // bit n%8 of byte n/8: document n is deleted; missing bytes are 0
	numDeleted int    // how many are
	all        []Row  // nil: read when they are asked for

	read   func(first int, to []Row) error
	some   func(standing bool, first int, to []Row) error // nil: read does it
	blocks []atomic.Pointer[[blockRows]Row]
	ones   []atomic.Pointer[Row] // as blocks, where a row that was not asked for costs as much as one that was
	known  func(doc int) Row     // a row of ones without what its text says
	fault  atomic.Pointer[error]

	once   sync.Once
	turns  bool // some are of turns
	anyone func() (turns bool, err error)
}

// RowsOf are rows that are all there. They must not be changed any more.
func RowsOf(all []Row) *Rows {
	r := &Rows{n: len(all), all: all}
	for i := range all {
		r.turns = r.turns || all[i].Flags&Turn != 0
		if all[i].Flags&Deleted != 0 {
			r.markDeleted(i)
		}
	}
	return r
}

// ReadRows are n rows that read reads: those from the first on, as many as to has.
// The documents of deleted (document n is bit n%8 of byte n/8, missing bytes are 0) are
// deleted as well. turns reports whether any of them is of a turn. some is read for the fields
// alone that Cursor gives; nil: there is no such.
func ReadRows(
	n int, deleted []byte, turns func() (bool, error),
	read func(first int, to []Row) error, some func(standing bool, first int, to []Row) error,
) *Rows {
	r := &Rows{n: n, read: read, some: some, anyone: turns, blocks: make([]atomic.Pointer[[blockRows]Row], (n+blockRows-1)/blockRows)}
	for i, b := range deleted {
		for k := range 8 {
			if b&(1<<k) != 0 && 8*i+k < n {
				r.markDeleted(8*i + k)
			}
		}
	}
	return r
}

// markDeleted notes that a document is deleted.
func (r *Rows) markDeleted(doc int) {
	for doc/8 >= len(r.deleted) {
		r.deleted = append(r.deleted, 0)
	}
	r.deleted[doc/8] |= 1 << (doc % 8)
	r.numDeleted++
}

// Len returns the number of rows, those of deleted documents included.
func (r *Rows) Len() int { return r.n }

// Live returns the number of live documents.
func (r *Rows) Live() int { return r.n - r.numDeleted }

// Deleted reports whether a document is deleted.
func (r *Rows) Deleted(doc int32) bool {
	return int(doc/8) < len(r.deleted) && r.deleted[doc/8]&(1<<(doc%8)) != 0
}

// At returns a row, which must not be changed. One that cannot be read is that of a
// deleted document.
func (r *Rows) At(doc int32) *Row {
	if r.all != nil {
		return &r.all[doc]
	}
	if r.ones != nil {
		return r.one(int(doc))
	}
	b := r.blocks[doc/blockRows].Load()
	if b == nil {
		b = r.load(int(doc / blockRows))
	}
	return &b[doc%blockRows]
}

// Known is At for who asks nothing that the text of the document says: Words, Days, Question, When,
// Lasting, Where and Named may be missing. Where all is read from the documents themselves that takes
// a small part of the time; the row is then put into room.
func (r *Rows) Known(doc int32, room *Row) *Row {
	if r.known == nil || r.Deleted(doc) {
		return r.At(doc)
	}
	if row := r.ones[doc].Load(); row != nil {
		return row
	}
	*room = r.known(int(doc))
	return room
}

// Err is the error of a row that could not be read; nil if there was none.
func (r *Rows) Err() error {
	if err := r.fault.Load(); err != nil {
		return *err
	}
	return nil
}

// Turns reports whether any document is a turn, though it may be deleted.
func (r *Rows) Turns() bool {
	r.once.Do(func() {
		if r.anyone == nil {
			return
		}
		turns, err := r.anyone()
		if err != nil {
			r.fault.Store(&err)
		}
		r.turns = turns
	})
	return r.turns
}

// All returns all rows, which the caller may keep and change.
func (r *Rows) All() ([]Row, error) {
	if r.all != nil {
		return slices.Clone(r.all), nil
	}
	list := make([]Row, 0, r.n)
	r.Each(func(row *Row) { list = append(list, *row) })
	return list, r.Err()
}

// Each yields all rows in order. None of them stays valid.
func (r *Rows) Each(yield func(*Row)) {
	if r.all != nil {
		for i := range r.all {
			yield(&r.all[i])
		}
		return
	}
	var room [roomRows]Row // what is read once is not kept
	for first := 0; first < r.n; first += roomRows {
		some := room[:min(roomRows, r.n-first)]
		r.fill(r.read, first, some)
		for i := range some {
			yield(&some[i])
		}
	}
}

// A cursor goes through all rows in order, and reads some columns of them. It keeps nothing, and
// is for one goroutine.
type cursor struct {
	rows     *Rows
	standing bool
	room     [roomRows]Row
	at       int // the row it is at
	to       int // behind the last one that was read
}

// Cursor goes through all rows in order: next gives the next one that is not deleted, with the number
// of its document, and nil behind the last; it is valid until the next one. Of a row that it gives only Flags, Scope and
// Session count; if it is to say since when items stand, Flags, Scope, Kind and Time. Flags that the text of a document says may
// be missing, as with Known.
func (r *Rows) Cursor(standing bool) (next func() (doc int32, row *Row)) {
	return (&cursor{rows: r, standing: standing, at: -1}).next
}

// next goes to the next row that is not deleted, and returns it with the number of its document;
// nil if there is none. It is valid until the next one.
func (c *cursor) next() (doc int32, row *Row) {
	for c.at++; c.at < c.rows.n && c.rows.Deleted(int32(c.at)); c.at++ {
	}
	if c.at >= c.rows.n {
		return int32(c.rows.n), nil
	}
	return int32(c.at), c.row()
}

// row is the row where the cursor is.
func (c *cursor) row() *Row {
	r := c.rows
	if r.all != nil {
		return &r.all[c.at]
	}
	if c.at >= c.to {
		first := c.at / roomRows * roomRows
		c.to = min(first+roomRows, r.n)
		read := r.read
		if r.some != nil {
			read = func(first int, to []Row) error { return r.some(c.standing, first, to) }
		}
		r.fill(read, first, c.room[:c.to-first])
	}
	return &c.room[c.at%roomRows]
}

// single has rows read one by one, and known from known. It is called before any is asked for.
func (r *Rows) single(known func(doc int) Row) {
	r.blocks, r.ones, r.known = nil, make([]atomic.Pointer[Row], r.n), known
}

// one is a row, read alone and kept.
func (r *Rows) one(doc int) *Row {
	if row := r.ones[doc].Load(); row != nil {
		return row
	}
	row := make([]Row, 1)
	r.fill(r.read, doc, row)
	if !r.ones[doc].CompareAndSwap(nil, &row[0]) {
		return r.ones[doc].Load()
	}
	return &row[0]
}

// load reads a block and keeps it.
func (r *Rows) load(n int) *[blockRows]Row {
	b := new([blockRows]Row)
	first := n * blockRows
	r.fill(r.read, first, b[:min(blockRows, r.n-first)])
	if !r.blocks[n].CompareAndSwap(nil, b) {
		return r.blocks[n].Load()
	}
	return b
}

// fill reads rows from first on.
func (r *Rows) fill(read func(int, []Row) error, first int, to []Row) {
	err := read(first, to)
	if err != nil {
		r.fault.Store(&err)
	}
	for i := range to {
		if err != nil {
			to[i] = Row{Time: NoTime, Scope: -1, Kind: -1, Session: -1, Speaker: -1, Flags: Deleted}
		}
		if r.Deleted(int32(first + i)) {
			to[i].Flags |= Deleted
		}
	}
}
