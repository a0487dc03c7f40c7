package jsonl

import (
	"fmt"
	"strconv"
	"strings"
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
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r >= 0x20 && r != '\u2028' && r != '\u2029':
			dst = utf8.AppendRune(dst, r)
		default:
			if i := strings.IndexRune("\b\f\n\r\t", r); i >= 0 {
				dst = append(dst, '\\', "bfnrt"[i])
			} else {
				dst = fmt.Appendf(dst, `\u%04x`, r)
			}
		}
	}
	return append(dst, '"')
}

// MapFields writes the object on line anew, each field with the value that to gives for
// it; nil leaves the field out. Names and order stay. The error is a *SyntaxError.
func MapFields(line []byte, to func(name string, v Value) Value) ([]byte, error) {
	out := []byte{'{'}
	for f, err := range Object(line) {
		if err != nil {
			return nil, err
		}
		if v := to(string(f.Name), f.Value); v != nil {
			out = append(AppendName(out, string(f.Name)), v...)
		}
	}
	return append(out, '}'), nil
}
