package termsafe

import (
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// JSONSafe returns JSON text b with every character that Clean might remove or
// replace written as \uXXXX, so that it does nothing to a terminal and decodes
// to the same data. It returns b itself if there is none.
func JSONSafe(b []byte) []byte {
	if n := jsonPlain(b); n < len(b) {
		return AppendJSONSafe(append(make([]byte, 0, len(b)+16), b[:n]...), b[n:])
	}
	return b
}

// AppendJSONSafe appends to dst what JSONSafe returns for b. b must be valid
// JSON, or a piece of it that does not end inside a character; of any other
// bytes the result is as harmless, but not the same data. Bytes that are not
// UTF-8 become \ufffd, as which encoding/json decodes them, and a carriage
// return, white space between tokens, becomes a newline.
func AppendJSONSafe(dst, b []byte) []byte {
	for len(b) > 0 {
		n := jsonPlain(b)
		dst = append(dst, b[:n]...)
		if b = b[n:]; len(b) == 0 {
			break
		}
		r, n := utf8.DecodeRune(b)
		b = b[n:]
		switch {
		case r == '\r':
			dst = append(dst, '\n')
		case r < 0x10000:
			dst = fmt.Appendf(dst, `\u%04x`, r)
		default:
			hi, lo := utf16.EncodeRune(r)
			dst = fmt.Appendf(dst, `\u%04x\u%04x`, hi, lo)
		}
	}
	return dst
}

// jsonPlain returns the length of the longest beginning of b without a
// character that is to be escaped.
func jsonPlain(b []byte) int {
	for i := 0; i < len(b); {
		if c := b[i]; c >= 0x20 && c < 0x7f {
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 || fateOf(r) != shown {
			return i
		}
		i += n
	}
	return len(b)
}
