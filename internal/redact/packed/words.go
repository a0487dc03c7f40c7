package packed

import (
	"encoding/binary"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxWord is more bytes than a word of a table has.
const maxWord = 120

// Words is a table of words, each of one kind or more: a table of slots, then the words.
// The first byte is the number of slots as a power of two. A slot is four bytes: zero, or
// a byte of the hash of its word and where the word stands behind the slots, plus one. A
// word is the eight bytes of its kinds, its length in one, and its bytes.
type Words string

// Kinds returns the kinds of word, in any case of its letters, as bits; 0 if it is none.
func (t Words) Kinds(word string) uint64 {
	if word == "" || len(word) > maxWord {
		return 0
	}
	h := uint32(2166136261)
	for i := 0; i < len(word); i++ {
		c := word[i]
		if c >= utf8.RuneSelf {
			return t.fold(strings.ToLower(word))
		}
		if c-'A' < 26 {
			c |= 0x20
		}
		h = (h ^ uint32(c)) * 16777619
	}
	return t.find(word, h)
}

// fold is Kinds for a word in lower case that is not of ASCII.
func (t Words) fold(word string) uint64 {
	h := uint32(2166136261)
	for i := 0; i < len(word); i++ {
		h = (h ^ uint32(word[i])) * 16777619
	}
	return t.find(word, h)
}

// find looks for word, whose hash is h, in its slot and those behind it.
func (t Words) find(word string, h uint32) uint64 {
	mask := uint32(1)<<t[0] - 1
	slots, words := t[1:1+4*(mask+1)], t[1+4*(mask+1):]
	for n := h >> 8; ; n++ {
		k := 4 * (n & mask)
		slot := uint32(slots[k]) | uint32(slots[k+1])<<8 | uint32(slots[k+2])<<16 | uint32(slots[k+3])<<24
		if slot == 0 {
			return 0
		}
		if slot>>24 != h&0xff {
			continue
		}
		r := words[slot&0xffffff-1:]
		if size := int(r[8]); size == len(word) && equal(string(r[9:9+size]), word) {
			return uint64(r[0]) | uint64(r[1])<<8 | uint64(r[2])<<16 | uint64(r[3])<<24 |
				uint64(r[4])<<32 | uint64(r[5])<<40 | uint64(r[6])<<48 | uint64(r[7])<<56
		}
	}
}

// equal reports whether word is lower, a text in lower case of its length, in any case of ASCII.
func equal(lower, word string) bool {
	for i := range len(word) {
		c := word[i]
		if c-'A' < 26 {
			c |= 0x20
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

// MakeWords returns the table of words, in lower case, with the bits of their kinds.
func MakeWords(kinds map[string]uint64) Words {
	bits := 1
	for 1<<bits < 2*len(kinds) {
		bits++
	}
	slots := make([]byte, 4<<bits)
	var words []byte
	for _, w := range slices.Sorted(maps.Keys(kinds)) {
		h := uint32(2166136261)
		for _, c := range []byte(w) {
			h = (h ^ uint32(c)) * 16777619
		}
		n := h >> 8 & (1<<bits - 1)
		for binary.LittleEndian.Uint32(slots[4*n:]) != 0 {
			n = (n + 1) & (1<<bits - 1)
		}
		binary.LittleEndian.PutUint32(slots[4*n:], h&0xff<<24|uint32(len(words)+1))
		words = binary.LittleEndian.AppendUint64(words, kinds[w])
		words = append(append(words, byte(len(w))), w...)
	}
	return Words(slices.Concat([]byte{byte(bits)}, slots, words))
}
