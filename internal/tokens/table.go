package tokens

// The classes that ASCII characters fall into, and two for the rest.
const (
	space   = iota // space, tab and other control characters
	newline        // line ends; also the class before the first character
	lower          // a-z, and letters of the Latin script outside ASCII
	upper          // A-Z
	digit          // 0-9
	punct          // the rest of ASCII
	other          // characters of other scripts
	classes
)

// classOf gives the class of an ASCII character. Constant strings are the
// tables here: they need no work at start and cannot be changed.
const classOf = "" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x01\x00\x00" + // line feed, carriage return
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x00\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05" + // space and !"#$%&'()*+,-./
	"\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x05\x05\x05\x05\x05\x05" + // 0-9 and :;<=>?
	"\x05\x03\x03\x03\x03\x03\x03\x03\x03\x03\x03\x03\x03\x03\x03\x03" + // @ and A-O
	"\x03\x03\x03\x03\x03\x03\x03\x03\x03\x03\x03\x05\x05\x05\x05\x05" + // P-Z and [\]^_
	"\x05\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02" + // ` and a-o
	"\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x05\x05\x05\x05\x00" // p-z, {|}~ and DEL

// one is a token in the unit of all costs. 128 keeps each cost in a byte.
const one = 128

// perRune is the least a character counts: a quarter of a token.
const perRune = one / 4

// costOf gives the cost of an ASCII character of one class behind one of
// another, at classOf-before*classes + classOf-it.
//
// The numbers are a least-squares fit of such pairs to the mean count of two
// vocabularies (cl100k, o200k) over 600 KB of conversation, Markdown, Go,
// Python, JSON, logs, decimal numbers, hexadecimal and base64, within bounds:
// no cost differs by more than one token from that at the beginning of a text,
// which is what the laws of concatenation rest on.
const costOf = "" +
	// sp  nl   a    A    0    .   (other: not ASCII)
	"\x0a\x2b\x44\x26\xa0\x58\x00" + // behind a space
	"\x3c\x06\x44\x26\xa0\x58\x00" + // behind a line end, and at the beginning
	"\x3c\x2b\x04\xa0\xea\x58\x00" + // behind a lower-case letter
	"\x3c\x2b\x89\x14\xea\x58\x00" + // behind an upper-case letter
	"\x3c\x2b\x0d\x0d\x2a\x58\x00" + // behind a digit
	"\x3c\x2b\x44\x26\xa0\x23\x00" + // behind punctuation
	"\x3c\x2b\x44\x26\xa0\x58\x00" // behind another script

// wide gives the cost of a character outside ASCII and the class it has for
// what follows. The costs are the mean of the same two vocabularies over a
// paragraph in each language, less what the spaces and points in it cost;
// where a script serves several languages, the dearer one. size is the length
// of r in UTF-8: what a vocabulary does not know is spelled out in bytes.
func wide(r rune, size int) (cost, class int) {
	switch {
	case r == '\uFFFD' && size == 1:
		return 115, other // not a character: vocabularies have all 256 bytes
	case r < 0xC0:
		return 90, other // marks and signs of Latin-1
	case r < 0x100, r >= 0x300 && r < 0x370:
		return 80, lower // Latin of western Europe, and marks alone
	case r < 0x250:
		return 150, lower // Latin of eastern Europe, Turkish
	case r >= 0x1E00 && r < 0x1F00:
		return 48, lower // Latin with two marks: Vietnamese
	case r >= 0x370 && r < 0x400, r >= 0x1F00 && r < 0x2000:
		return 76, other // Greek
	case r >= 0x400 && r < 0x530:
		return 49, other // Cyrillic
	case r >= 0x530 && r < 0x590, r >= 0x10A0 && r < 0x1100:
		return 133, other // Armenian, Georgian
	case r >= 0x590 && r < 0x600:
		return 92, other // Hebrew
	case r >= 0x600 && r < 0x780:
		return 66, other // Arabic, Syriac
	case r >= 0x900 && r < 0xE00:
		return 102, other // the scripts of India and Sri Lanka
	case r >= 0xE00 && r < 0xF00:
		return 97, other // Thai, Lao
	case r >= 0x1100 && r < 0x1200, r >= 0xAC00 && r < 0xD7B0:
		return 112, other // Hangul
	case r >= 0x2000 && r < 0x2E80:
		return 110, other // punctuation, arrows, mathematics, boxes, dingbats
	case r >= 0x2E80 && r < 0xA000, r >= 0xF900 && r < 0xFB00, r >= 0xFF00 && r < 0xFFF0:
		return one, other // Han, Kana and their punctuation
	case size == 4 && r >= 0x1F000 && r < 0x1FB00:
		return 2 * one, other // emoji
	case size == 4:
		return 3 * one, other
	case size == 3:
		return 2 * one, other
	}
	return one, other
}
