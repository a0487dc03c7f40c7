package filter

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// plain reports whether p is ASCII without what may begin a sequence that goes.
func plain(p []byte) bool {
	return bytes.IndexByte(p, esc) < 0 && bytes.IndexByte(p, enq) < 0 && ascii(p) == len(p)
}

// ascii counts the bytes of ASCII at the beginning of p.
func ascii(p []byte) int {
	const high = 0x8080808080808080
	n := 0
	for ; n+32 <= len(p); n += 32 {
		q := p[n : n+32]
		if (binary.LittleEndian.Uint64(q)|binary.LittleEndian.Uint64(q[8:])|
			binary.LittleEndian.Uint64(q[16:])|binary.LittleEndian.Uint64(q[24:]))&high != 0 {
			break
		}
	}
	for n < len(p) && p[n] < 0x80 {
		n++
	}
	return n
}

// skip counts the bytes of text at the beginning of p that need no look.
func skip(p []byte, raw bool) int {
	i := 0
	for i < len(p) {
		b := p[i]
		switch {
		case b == esc:
			n := harmless(p[i:])
			if n == 0 {
				return i
			}
			i += n
		case b == enq:
			return i
		case b < 0x80:
			i++
		case raw || b < 0xc3 || b >= 0xf8:
			return i
		default: // a character that is there whole is passed over whole
			n := bits.LeadingZeros8(^b)
			if i+n > len(p) {
				return i
			}
			for j := 1; j < n; j++ {
				if p[i+j]&0xc0 != 0x80 {
					return i
				}
			}
			i += n
		}
	}
	return i
}

// harmless is the length of the control sequence at the beginning of p, if it is
// there whole and is one of those that colour the text and move the cursor; 0 if not.
func harmless(p []byte) int {
	if len(p) < 3 || p[1] != '[' {
		return 0
	}
	for i, b := range p[2:min(len(p), 2+len(Filter{}.head))] {
		if b >= 0x40 && b < del && b != 'i' && b != 't' && b != 'u' && b != 'w' && b != 'y' {
			return i + 3
		}
		if b < 0x20 || b >= 0x40 {
			return 0
		}
	}
	return 0
}
