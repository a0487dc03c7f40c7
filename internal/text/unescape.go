package text

import (
	"bytes"
	"strconv"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Unescape resolves the escapes of JSON strings wherever they stand in b, which
// may be cut off or damaged anywhere. What is no escape stays; line ends and tabs
// become blanks.
func Unescape(b []byte) []byte {
	first := bytes.IndexByte(b, '\\')
	if first < 0 {
		return b
	}
	out := make([]byte, 0, len(b))
	out = append(out, b[:first]...)
	for i := first; i < len(b); {
		if b[i] != '\\' || i+1 == len(b) {
			out = append(out, b[i])
			i++
			continue
		}
		switch c := b[i+1]; c {
		case 'u':
			r, n := unescapeRune(b[i:])
			out = utf8.AppendRune(out, r)
			i += n
		case 'n', 't', 'r', 'b', 'f':
			out = append(out, ' ')
			i += 2
		default:
			out = append(out, c)
			i += 2
		}
	}
	return out
}

// unescapeRune reads "\u00e9" or a pair of surrogates at the start of s and says
// how many bytes it took.
func unescapeRune(s []byte) (rune, int) {
	const size = len(`\u0000`)
	r, ok := hexRune(s)
	if !ok {
		return 'u', min(2, len(s))
	}
	if utf16.IsSurrogate(r) && len(s) >= 2*size && s[size] == '\\' && s[size+1] == 'u' {
		if low, ok := hexRune(s[size:]); ok {
			if pair := utf16.DecodeRune(r, low); pair != unicode.ReplacementChar {
				return pair, 2 * size
			}
		}
	}
	return r, size
}

func hexRune(s []byte) (rune, bool) {
	if len(s) < 6 {
		return 0, false
	}
	n, err := strconv.ParseUint(string(s[2:6]), 16, 16)
	return rune(n), err == nil
}
