package chars

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

// Decode64 decodes base64 of either alphabet, padded or not.
func Decode64(v string) ([]byte, bool) {
	v = strings.TrimRight(v, "=")
	if len(v)%4 == 1 {
		return nil, false
	}
	enc := base64.RawStdEncoding
	if strings.ContainsAny(v, "-_") {
		enc = base64.RawURLEncoding
	}
	b, err := enc.DecodeString(v)
	return b, err == nil
}

// DecodeHex decodes hexadecimal digits, two for each byte.
func DecodeHex(v string) ([]byte, bool) {
	b, err := hex.DecodeString(v)
	return b, err == nil
}

// IsText reports whether b looks written: UTF-8 or ASCII without control
// characters other than white space.
func IsText(b []byte) bool {
	for _, c := range b {
		if c < 0x20 && !IsSpace(c) || c == 0x7f {
			return false
		}
	}
	return utf8.Valid(b)
}

// IsTextHead is IsText for the beginning of a text, which may be cut inside a
// character.
func IsTextHead(b []byte) bool {
	for cut := 0; cut < 4 && cut < len(b); cut++ {
		if IsText(b[:len(b)-cut]) {
			return true
		}
	}
	return false
}

// Unquote decodes the escapes \n, \r, \t, \e, \xXX, \uXXXX and a backslash before
// anything else in v. from is as in Unescape.
func Unquote(v string) (text string, from []int) {
	b := make([]byte, 0, len(v))
	from = make([]int, 0, len(v)+1)
	for i := 0; i < len(v); i++ {
		at, c := i, v[i]
		if c == '\\' && i+1 < len(v) {
			i++
			switch c = v[i]; c {
			case 'n':
				c = '\n'
			case 'r':
				c = '\r'
			case 't':
				c = '\t'
			case 'e':
				c = 0x1b
			case 'x', 'u':
				if r, n := codePoint(v[i:]); n > 0 {
					i += n - 1
					k := len(b)
					b = utf8.AppendRune(b, r)
					for range len(b) - k {
						from = append(from, at)
					}
					continue
				}
			case '0':
				if strings.HasPrefix(v[i:], "033") {
					c, i = 0x1b, i+2
				}
			}
		}
		b, from = append(b, c), append(from, at)
	}
	return string(b), append(from, len(v))
}

// codePoint returns the character that v, an escape without its backslash, stands for,
// and how long it is; 0 if it is none. Of a pair of surrogates each is none.
func codePoint(v string) (r rune, n int) {
	n = 3
	if v[0] == 'u' {
		n = 5
	}
	if len(v) < n {
		return 0, 0
	}
	for _, c := range []byte(v[1:n]) {
		if !IsHex(c) {
			return 0, 0
		}
		r = r<<4 | rune(unhex(c))
	}
	return r, n
}

// Unescape decodes %XX in v. from maps each offset in the result, its length
// included, to one in v.
func Unescape(v string) (text string, from []int) {
	b := make([]byte, 0, len(v))
	from = make([]int, 0, len(v)+1)
	for i := 0; i < len(v); i++ {
		from = append(from, i)
		c := v[i]
		if c == '%' && i+2 < len(v) && IsHex(v[i+1]) && IsHex(v[i+2]) {
			c = unhex(v[i+1])<<4 | unhex(v[i+2])
			i += 2
		}
		b = append(b, c)
	}
	return string(b), append(from, len(v))
}

func unhex(c byte) byte {
	if IsDigit(c) {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}
