package packed

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// Where the parts of the table of anchors stand in it.
const (
	foldAt   = 0                  // of each byte its five bits: see Fold
	filterAt = foldAt + 256       // a bit for each three folded bytes that begin an anchor
	ranksAt  = filterAt + 1<<15/8 // how many bits are set before each eight bytes of the filter, in two bytes
	headsAt  = ranksAt + 2*512    // for each bit that is set a head: see candidates
	headSize = 8
)

// An Anchor is a text that is looked for: at least three bytes, of ASCII in lower case. It is found
// in any case of ASCII. In "000" each zero stands for any digit, at the start of a run of
// digits only.
type Anchor struct {
	Text string
	// ID is given back where the text was found; the anchors of an index may share one.
	ID int
}

// Anchors finds anchors. Three neighbouring bytes are folded into 15 bits, and a filter has a
// bit for each such number that begins an anchor: ordinary text costs a look-up per byte.
type Anchors string

// Fold maps c to five bits: letters without case, digits as one.
func (t Anchors) Fold(c byte) uint16 { return uint16(t[foldAt+int(c)]) }

// Next is the number of three bytes that end with c, when k was that of those before it.
func (t Anchors) Next(k uint16, c byte) uint16 { return (k<<5 | t.Fold(c)) & 0x7fff }

// Begins reports whether three bytes with the number k may begin an anchor.
func (t Anchors) Begins(k uint16) bool { return t[filterAt+int(k>>3&0xfff)]&(1<<(k&7)) != 0 }

// At calls found with the ID and the end of each anchor that stands at s[at:], of which Begins
// says so for its three bytes, with the number k, in the order of their table.
func (t Anchors) At(k uint16, s string, at int, found func(id, end int)) {
	next := byte(0) // as an anchor has it, 0 at the end
	if at+3 < len(s) {
		if next = s[at+3]; next-'A' < 26 {
			next |= 0x20
		}
	}
	list := t.candidates(k, next)
	for len(list) > 3 {
		id, fourth, size := int(list[0])|int(list[1])<<8, list[2], int(list[3])
		text := list[4 : 4+size]
		list = list[4+size:]
		if fourth != 0 && fourth != next {
			continue
		}
		if text == "000" {
			if at == 0 || s[at-1]-'0' > 9 {
				found(id, at+3)
			}
			continue
		}
		if end := at + size; end <= len(s) && equal(text, s[at:end]) {
			found(id, end)
		}
	}
}

// candidates returns the anchors that begin with three bytes of the number k and may go on with
// next; "" if there are none. Each is its ID in two bytes, its fourth byte or 0, its length
// and its text. Their head is in four bytes a bit for each folded byte that may be the fourth, and
// in four where they stand behind the heads.
func (t Anchors) candidates(k uint16, next byte) string {
	block := int(k >> 6)
	filter := t[filterAt+8*block : filterAt+8*block+8]
	word := uint64(filter[0]) | uint64(filter[1])<<8 | uint64(filter[2])<<16 | uint64(filter[3])<<24 |
		uint64(filter[4])<<32 | uint64(filter[5])<<40 | uint64(filter[6])<<48 | uint64(filter[7])<<56
	rank := int(t[ranksAt+2*block]) | int(t[ranksAt+2*block+1])<<8
	rank += bits.OnesCount64(word & (1<<(k&63) - 1))
	head := t[headsAt+headSize*rank : headsAt+headSize*rank+2*headSize]
	if nexts := uint32At(head, 0); nexts&(1<<t.Fold(next)) == 0 {
		return ""
	}
	return string(t[uint32At(head, 4):uint32At(head, 4+headSize)])
}

func uint32At(s Anchors, i int) uint32 {
	return uint32(s[i]) | uint32(s[i+1])<<8 | uint32(s[i+2])<<16 | uint32(s[i+3])<<24
}

// Each calls found with the ID and the bounds of each anchor in s, from its start to its end.
func (t Anchors) Each(s string, found func(id, at, end int)) {
	k := uint16(0)
	for i := range len(s) {
		if k = t.Next(k, s[i]); i >= 2 && t.Begins(k) {
			t.At(k, s, i-2, func(id, end int) { found(id, i-2, end) })
		}
	}
}

// MakeAnchors returns the index of all.
func MakeAnchors(all []Anchor) Anchors {
	table := make([]byte, headsAt)
	for c := range 256 {
		table[foldAt+c] = foldByte(byte(c))
	}
	under := map[uint16][]Anchor{}
	for _, a := range all {
		k := uint16(0)
		for i := range 3 {
			k = Anchors(table).Next(k, a.Text[i])
		}
		under[k] = append(under[k], a)
		table[filterAt+int(k>>3)] |= 1 << (k & 7)
	}
	start := headsAt + headSize*(len(under)+1)
	var heads, lists []byte
	rank := 0
	for k := range uint16(1 << 15) {
		if k&63 == 0 {
			binary.LittleEndian.PutUint16(table[ranksAt+2*int(k>>6):], uint16(rank))
		}
		list := under[k]
		if len(list) == 0 {
			continue
		}
		rank++
		nexts, at := uint32(0), start+len(lists)
		for _, a := range list {
			fourth := byte(0)
			if len(a.Text) > 3 {
				fourth = a.Text[3]
				nexts |= 1 << foldByte(fourth)
			} else {
				nexts = ^uint32(0)
			}
			lists = append(append(lists, byte(a.ID), byte(a.ID>>8), fourth, byte(len(a.Text))), a.Text...)
		}
		heads = binary.LittleEndian.AppendUint32(heads, nexts)
		heads = binary.LittleEndian.AppendUint32(heads, uint32(at))
	}
	heads = binary.LittleEndian.AppendUint64(heads, uint64(start+len(lists))<<32)
	return Anchors(slices.Concat(table, heads, lists))
}

// foldByte is Fold without a table.
func foldByte(c byte) byte {
	switch {
	case c >= 0x80:
		return c & 31
	case c|0x20 >= 'a' && c|0x20 <= 'z':
		return c | 0x20 - 'a' + 1
	case c >= '0' && c <= '9':
		return 27
	case c == '-':
		return 28
	case c == '_':
		return 29
	case c == ':' || c == '/' || c == '.':
		return 30
	case c == ' ':
		return 31
	}
	return 0
}
