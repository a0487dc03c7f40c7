package look

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

// Unquote decodes the escapes \n, \r, \t, \u00XX and a backslash before
// anything else in v. from is as in Unescape.
func Unquote(v string) (text string, from []int) {
	b := make([]byte, 0, len(v))
	from = make([]int, 0, len(v)+1)
	for i := 0; i < len(v); i++ {
		from = append(from, i)
		c := v[i]
		if c == '\\' && i+1 < len(v) {
			i++
			switch c = v[i]; c {
			case 'n':
				c = '\n'
			case 'r':
				c = '\r'
			case 't':
				c = '\t'
			case 'u':
				if i+4 < len(v) && v[i+1:i+3] == "00" && IsHex(v[i+3]) && IsHex(v[i+4]) {
					c = unhex(v[i+3])<<4 | unhex(v[i+4])
					i += 4
				}
			}
		}
		b = append(b, c)
	}
	return string(b), append(from, len(v))
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
