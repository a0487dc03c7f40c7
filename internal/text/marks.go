package text

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Unmark returns b without the marks of Markdown: of emphasis and code, of headings, lists,
// quotes and tables; of a link its text is left. b may be text or the bytes of a string of
// JSON. What is no mark in all places where it may be one goes too where it could be, since
// texts are only compared so.
func Unmark(b []byte) []byte {
	var out []byte
	from := 0 // what stands before it is in out; mostly nothing is a mark, and all of b stays
	for i := 0; i < len(b); i++ {
		if !mayMark[b[i]] {
			continue
		}
		before := b[:i]
		if out != nil {
			out, from = append(out, b[from:i]...), i
			before = out
		}
		said, n := mark(before, b[i:])
		if n == 0 {
			continue
		}
		if out == nil {
			out = append(make([]byte, 0, len(b)), b[:i]...)
		}
		if b[i] == '[' && len(out) > 0 && out[len(out)-1] == '!' {
			out = out[:len(out)-1] // of a picture
		}
		out = append(out, said...)
		i += n - 1
		from = i + 1
	}
	if out == nil {
		return b
	}
	return append(out, b[from:]...)
}

// mayMark are the bytes with which a mark may begin.
var mayMark = [256]bool{
	'*': true, '_': true, '`': true, '~': true, '#': true, '>': true, '|': true, '[': true, '-': true, '+': true, '\\': true,
	'0': true, '1': true, '2': true, '3': true, '4': true, '5': true, '6': true, '7': true, '8': true, '9': true,
}

// mark is how long the mark is with which rest begins, behind what was read, and what is left
// of it; 0 if it begins with none.
func mark(before, rest []byte) (said []byte, n int) {
	switch c := rest[0]; c {
	case '*', '`':
		return nil, 1
	case '~':
		if bytes.HasPrefix(rest, []byte("~~")) {
			return nil, 2
		}
	case '\\':
		if len(rest) > 1 && strings.IndexByte("*_`~#>[", rest[1]) >= 0 {
			return nil, 1
		}
	case '_':
		n := run(rest, "_")
		if len(before) == 0 || !inWord(before[len(before)-1]) || len(rest) == n || !inWord(rest[n]) {
			return nil, n
		}
	case '#', '>', '|', '-', '+':
		if !starts(before) {
			return nil, 0
		}
		if n := run(rest, string(c)); n <= 6 && blankAt(rest, n) {
			return nil, n
		}
	case '[':
		if said, n := linked(rest); n > 0 {
			return Unmark(said), n
		}
	default: // a digit
		if !behindLine(before) {
			return nil, 0
		}
		n := run(rest, "0123456789")
		if n < 4 && len(rest) > n && (rest[n] == '.' || rest[n] == ')') && blankAt(rest, n+1) && behindLine(before) {
			return nil, n + 1
		}
	}
	return nil, 0
}

// run is how many of these characters b begins with.
func run(b []byte, of string) int { return len(b) - len(bytes.TrimLeft(b, of)) }

func inWord(c byte) bool {
	return c >= utf8.RuneSelf || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// starts reports whether a word begins behind what was read.
func starts(before []byte) bool {
	n := len(before)
	return n == 0 || strings.IndexByte(" \t\n\r\"", before[n-1]) >= 0 || behindLine(before)
}

// behindLine reports whether a line begins behind what was read; the end of the one before
// may be escaped.
func behindLine(before []byte) bool {
	n := len(before)
	for n > 0 && (before[n-1] == ' ' || before[n-1] == '\t') {
		n--
	}
	return n == 0 || before[n-1] == '\n' || before[n-1] == '"' || n > 1 && before[n-2] == '\\' && before[n-1] == 'n'
}

// blankAt reports whether a word ends before byte i.
func blankAt(b []byte, i int) bool {
	return i >= len(b) || strings.IndexByte(" \t\n\r\"", b[i]) >= 0 || b[i] == '\\' && i+1 < len(b) && b[i+1] == 'n'
}

// longestLink is how many bytes of a link are looked at.
const longestLink = 2 << 10

// linked is the text of the link with which b begins, and the length of the link; 0 if it
// begins with none.
func linked(b []byte) (said []byte, n int) {
	b = b[:min(len(b), longestLink)]
	end := bytes.IndexByte(b, ']')
	if end < 0 || end+1 == len(b) {
		return nil, 0
	}
	last := byte(0)
	switch b[end+1] {
	case '(':
		last = ')'
	case '[':
		last = ']'
	default:
		return nil, 0
	}
	to := bytes.IndexByte(b[end+1:], last)
	if to < 0 {
		return nil, 0
	}
	return b[1:end], end + 1 + to + 1
}
