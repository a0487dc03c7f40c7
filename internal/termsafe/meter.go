package termsafe

import (
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
	"github.com/clipperhouse/uax29/v2/graphemes"
)

// maxCluster is the longest sequence, in bytes, that is measured as one character.
const maxCluster = 64

// A Meter measures text that arrives in pieces, in terminal cells. What a reader
// sees as one character may be several code points (a letter and its accent, the
// two letters of a flag), of which later ones can change the width of the first.
// The zero Meter is ready for use.
type Meter struct {
	last  []byte // what a reader sees as the last character
	cells int    // that it takes
}

// Add takes s, the next code point, and returns by how many cells the text grew,
// which can be less than 0. joined reports that s belongs to the character before.
func (m *Meter) Add(s string) (cells int, joined bool) {
	if m.joins(s) {
		m.last = append(m.last, s...)
		w := displaywidth.Bytes(m.last)
		cells = w - m.cells
		m.cells = w
		return cells, true
	}
	m.last, m.cells = append(m.last[:0], s...), displaywidth.String(s)
	return m.cells, false
}

// Reset makes the next code point begin a character.
func (m *Meter) Reset() { m.last, m.cells = m.last[:0], 0 }

func (m *Meter) joins(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	if len(m.last) == 0 || len(m.last) > maxCluster || isAlone(r) {
		return false
	}
	g := graphemes.FromBytes(append(m.last, s...))
	return g.Next() && len(g.Value()) == len(m.last)+len(s)
}

// isAlone reports whether r surely begins a character: the letters of most
// languages, for speed.
func isAlone(r rune) bool {
	return r < 0x300 || r >= 0x370 && r < 0x483 || r >= 0x1e00 && r < 0x200c || r >= 0x2010 && r < 0x2030 ||
		r >= 0x2500 && r < 0x25a0 || r >= 0x3001 && r < 0x302a || r >= 0x3041 && r < 0x3099 || r >= 0x30a0 && r < 0xa000
}

// MayBreak reports whether a line may be broken between two characters of what is
// no blank: beside characters of scripts that are written without blanks, but not
// before what closes and not after what opens.
func MayBreak(before, after rune) bool {
	return (IsIdeograph(before) || IsIdeograph(after)) && before > ' ' && !closes(after) && !opens(before)
}

// IsIdeograph reports whether r is of a script that is written without blanks:
// Chinese characters, kana, and the punctuation that goes with them.
func IsIdeograph(r rune) bool {
	return r >= 0x2e80 && r < 0xa000 || r >= 0xf900 && r < 0xfb00 || r >= 0xfe30 && r < 0xfe50 ||
		r >= 0xff01 && r < 0xff61 || r >= 0x20000 && r < 0x40000
}

func closes(r rune) bool {
	switch r {
	case '、', '。', '，', '．', '・', '：', '；', '？', '！', 'ー', '々', '‥', '…', '”', '’', '»', 'っ', 'ゃ', 'ゅ', 'ょ', 'ッ', 'ャ', 'ュ', 'ョ',
		',', '.', ';', ':', '?', '!', '%', ')', ']', '}', '"', '\'':
		return true
	}
	return unicode.Is(unicode.Pe, r)
}

func opens(r rune) bool {
	switch r {
	case '“', '‘', '«', '$', '(', '[', '{', '"', '\'':
		return true
	}
	return unicode.Is(unicode.Ps, r)
}
