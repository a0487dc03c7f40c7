package segment

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"math"
	"sort"

	"ken/internal/index"
)

// The dictionary has the terms in the order of their keys, in blocks of
// blockTerms. A block begins with a varint, where the lists of its terms begin
// among the postings. Then of each term
//
//	varint, varint, bytes   how much of the key before it this one begins with (of
//	                        the first 0), and the rest of it, with its length
//	varint                  twice in how many documents it is, and 1 if its list
//	                        is that of an earlier term: of most stems it is that
//	                        of the only word that has it
//	then                    the posting itself, if it is one; else the varint of the
//	                        list's length in bytes, before it, if it is that of an
//	                        earlier term, the varint of where it begins
//
// Lists that are no other term's stand in the order of the terms.
const blockTerms = 16

// appendKey appends what a term is sorted by: its form and its text.
func appendKey(b []byte, t index.Term) []byte {
	return append(append(b, byte(t.Form)), t.Text...)
}

// A dictionaryWriter takes the terms in the order of their keys, and writes their
// lists.
type dictionaryWriter struct {
	out    *pagedWriter // of the postings, which begin at start
	start  int64
	terms  []byte
	blocks []byte
	n      int
	last   []byte              // the key before
	lists  map[[32]byte]uint64 // by its sum, where a list begins
}

// maxSection is how long terms and locators may be: 4 bytes say where one of
// their blocks begins.
const maxSection = math.MaxUint32

var errTooLarge = errors.New("the segment is too large")

// add adds a term with the list of its n documents. list must not be empty.
func (w *dictionaryWriter) add(key []byte, n int, list []byte) error {
	if len(w.terms) > maxSection-1<<10 {
		return errTooLarge
	}
	shared := 0
	if w.n%blockTerms == 0 {
		w.blocks = binary.LittleEndian.AppendUint32(w.blocks, uint32(len(w.terms)))
		w.terms = binary.AppendUvarint(w.terms, uint64(w.out.n-w.start))
	} else {
		for shared < min(len(w.last), len(key)) && w.last[shared] == key[shared] {
			shared++
		}
	}
	w.terms = binary.AppendUvarint(w.terms, uint64(shared))
	w.terms = binary.AppendUvarint(w.terms, uint64(len(key)-shared))
	w.terms = append(w.terms, key[shared:]...)
	w.last = append(w.last[:0], key...)
	w.n++
	if n == 1 {
		w.terms = binary.AppendUvarint(w.terms, 1<<1)
		w.terms = append(w.terms, list...)
		return nil
	}
	sum := sha256.Sum256(list)
	if at, known := w.lists[sum]; known {
		w.terms = binary.AppendUvarint(w.terms, uint64(n)<<1|1)
		w.terms = binary.AppendUvarint(w.terms, at)
		w.terms = binary.AppendUvarint(w.terms, uint64(len(list)))
		return nil
	}
	w.lists[sum] = uint64(w.out.n - w.start)
	w.terms = binary.AppendUvarint(w.terms, uint64(n)<<1)
	w.terms = binary.AppendUvarint(w.terms, uint64(len(list)))
	_, err := w.out.Write(list)
	return err
}

// An entry is what the dictionary says of a term.
type entry struct {
	n      int    // in how many documents it is
	inline []byte // its list, if it is in one; not cut off at its end
	at     uint64 // else where its list begins among the postings,
	size   uint64 // and its length
}

// A termCursor reads a block of the dictionary.
type termCursor struct {
	decoder
	key  []byte
	next uint64 // where the next list begins
	docs int
}

// begin begins to read a block, of a segment with so many documents.
func (c *termCursor) begin(block []byte, docs int) {
	c.decoder, c.key, c.docs = decoder{b: block}, c.key[:0], docs
	c.next = c.uvarint()
}

// entry reads the next term; its key is c.key until the next call. False at the
// end of the block, and if bad.
func (c *termCursor) entry() (e entry, ok bool) {
	if len(c.b) == 0 || c.bad {
		return e, false
	}
	shared := c.length()
	rest := c.bytes(c.length())
	if c.bad || shared > len(c.key) {
		c.bad = true
		return e, false
	}
	c.key = append(c.key[:shared], rest...)
	v := c.uvarint()
	e.n = int(min(v>>1, math.MaxInt32))
	switch {
	case v>>1 == 0 || v>>1 > uint64(c.docs):
		c.bad = true
	case e.n == 1:
		e.inline = c.b
		p := decoder{b: c.b}
		if p.uvarint()&1 == 1 {
			_, size := readCounts(p.b)
			p.bad = p.bad || size == 0
			p.bytes(size)
		}
		c.b, c.bad = p.b, p.bad
	case v&1 == 1:
		e.at, e.size = c.uvarint(), c.uvarint()
	default:
		e.at, e.size = c.next, c.uvarint()
		c.next += e.size
	}
	return e, !c.bad
}

// find looks for a term. ok is false if no document has it.
func (s *Segment) find(t index.Term) (e entry, ok bool, err error) {
	var room [160]byte
	key := appendKey(room[:0], t)
	blocks := s.blocks(secTermBlocks)
	var failed error
	// The first block that begins behind the term; it can only be in the one before.
	n := sort.Search(blocks, func(i int) bool {
		if failed != nil {
			return true
		}
		var block []byte
		if block, failed = s.block(secTerms, secTermBlocks, i); failed != nil {
			return true
		}
		d := decoder{b: block}
		d.uvarint()
		d.uvarint()
		first := d.bytes(d.length())
		if d.bad {
			failed = s.corrupt("a block of terms")
		}
		return bytes.Compare(first, key) > 0
	})
	if failed != nil || n == 0 {
		return e, false, failed
	}
	block, err := s.block(secTerms, secTermBlocks, n-1)
	if err != nil {
		return e, false, err
	}
	c := termCursor{key: make([]byte, 0, 160)}
	c.begin(block, s.docs)
	for {
		e, ok = c.entry()
		switch {
		case c.bad:
			return e, false, s.corrupt("a block of terms")
		case !ok:
			return e, false, nil
		}
		if order := bytes.Compare(c.key, key); order >= 0 {
			return e, order == 0, nil
		}
	}
}

// postings appends the list of a term.
func (s *Segment) postings(list []index.Posting, e entry) ([]index.Posting, error) {
	b, whole := e.inline, false
	if b == nil {
		var err error
		if b, err = s.part(secPostings, e.at, e.size); err != nil {
			return list, err
		}
		whole = true
	}
	longer, rest, ok := appendPostings(list, b, e.n, s.docs)
	if !ok || whole && len(rest) > 0 {
		return list, s.corrupt("a list of postings")
	}
	return longer, nil
}
