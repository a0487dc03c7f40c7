package jsonl

import (
	"strconv"
	"time"
	"unicode/utf8"
)

// AppendName appends the name of a field and its colon to an object that is
// open at the end of dst, and before it the comma that it needs unless it is
// the first.
func AppendName(dst []byte, name string) []byte {
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	return append(AppendString(dst, name), ':')
}

// AppendField appends a field to an object that is open at the end of dst,
// unless its value is the zero value or an empty list. place is a *string,
// *int, *int64, *bool, *[]string or *time.Time; any other adds nothing. Times
// are written as RFC 3339 in UTC, with as many digits of the second as they
// have.
func AppendField(dst []byte, name string, place any) []byte {
	switch v := place.(type) {
	case *string:
		if *v != "" {
			return AppendString(AppendName(dst, name), *v)
		}
	case *int:
		if *v != 0 {
			return strconv.AppendInt(AppendName(dst, name), int64(*v), 10)
		}
	case *int64:
		if *v != 0 {
			return strconv.AppendInt(AppendName(dst, name), *v, 10)
		}
	case *bool:
		if *v {
			return append(AppendName(dst, name), "true"...)
		}
	case *[]string:
		if len(*v) > 0 {
			return AppendList(AppendName(dst, name), *v, AppendString)
		}
	case *time.Time:
		if !v.IsZero() {
			dst = append(AppendName(dst, name), '"')
			dst = v.UTC().AppendFormat(dst, time.RFC3339Nano)
			return append(dst, '"')
		}
	}
	return dst
}

// AppendList appends an array whose elements element appends.
func AppendList[T any](dst []byte, list []T, element func([]byte, T) []byte) []byte {
	dst = append(dst, '[')
	for i, v := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = element(dst, v)
	}
	return append(dst, ']')
}

// AppendString appends s as a JSON string. The result is valid UTF-8 on one
// line: what is not UTF-8 becomes U+FFFD, and control characters and the line
// ends U+2028 and U+2029 are escaped. HTML is left alone: lines are read by
// people.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c < utf8.RuneSelf && c != '"' && c != '\\' {
			i++
			continue
		}
		size := 1
		if c >= utf8.RuneSelf {
			var r rune
			r, size = utf8.DecodeRuneInString(s[i:])
			if r != '\u2028' && r != '\u2029' && (r != utf8.RuneError || size > 1) {
				i += size
				continue
			}
		}
		dst = append(dst, s[start:i]...)
		dst = appendEscape(dst, s[i:i+size])
		i += size
		start = i
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

// appendEscape appends what a JSON string has in place of c, which is one
// character that cannot stand for itself, or one byte that is not UTF-8.
func appendEscape(dst []byte, c string) []byte {
	const digits = "0123456789abcdef"
	switch c {
	case "\"", "\\":
		return append(append(dst, '\\'), c...)
	case "\b":
		return append(dst, `\b`...)
	case "\f":
		return append(dst, `\f`...)
	case "\n":
		return append(dst, `\n`...)
	case "\r":
		return append(dst, `\r`...)
	case "\t":
		return append(dst, `\t`...)
	case "\u2028":
		return append(dst, `\u2028`...)
	case "\u2029":
		return append(dst, `\u2029`...)
	}
	if c[0] < 0x20 {
		return append(dst, '\\', 'u', '0', '0', digits[c[0]>>4], digits[c[0]&15])
	}
	return utf8.AppendRune(dst, utf8.RuneError)
}
