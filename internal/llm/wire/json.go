package wire

import (
	"bytes"
	"encoding/json"
	"iter"
	"strconv"
	"unicode/utf8"
)

// Members yields the names and values of a JSON object in order, and nothing for
// any other value. raw must be valid JSON; what is yielded points into it.
func Members(raw []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(name, value []byte) bool) {
		i, ok := begin(raw, '{')
		for ok {
			var name, value []byte
			if name, i = next(raw, i); name == nil {
				return
			}
			if value, i = next(raw, i); value == nil || !yield(Bytes(name), value) {
				return
			}
		}
	}
}

// Elements yields the values of a JSON array in order, and nothing for any other
// value. raw must be valid JSON; what is yielded points into it.
func Elements(raw []byte) iter.Seq[[]byte] {
	return func(yield func(value []byte) bool) {
		i, ok := begin(raw, '[')
		for ok {
			var value []byte
			if value, i = next(raw, i); value == nil || !yield(value) {
				return
			}
		}
	}
}

// begin returns the index behind the opening bracket, if raw begins with it.
func begin(raw []byte, open byte) (int, bool) {
	i := blank(raw, 0)
	return i + 1, i < len(raw) && raw[i] == open
}

// next returns the value that follows at i, nil at the closing bracket, and the
// index behind it.
func next(b []byte, i int) ([]byte, int) {
	i = blank(b, i)
	if i >= len(b) || b[i] == '}' || b[i] == ']' {
		return nil, i
	}
	end := skip(b, i)
	return b[i:end], end
}

// blank returns the next index of b that is no space, comma or colon.
func blank(b []byte, i int) int {
	for i < len(b) {
		switch b[i] {
		case ' ', '\t', '\r', '\n', ',', ':':
			i++
		default:
			return i
		}
	}
	return i
}

// skip returns the index behind the value that begins at i.
func skip(b []byte, i int) int {
	switch b[i] {
	case '"':
		return skipString(b, i)
	case '{', '[':
		depth := 0
		for i < len(b) {
			switch b[i] {
			case '"':
				i = skipString(b, i)
				continue
			case '{', '[':
				depth++
			case '}', ']':
				depth--
			}
			i++
			if depth == 0 {
				break
			}
		}
		return i
	}
	for i < len(b) {
		switch b[i] {
		case ' ', '\t', '\r', '\n', ',', ':', '}', ']':
			return i
		}
		i++
	}
	return i
}

func skipString(b []byte, i int) int {
	for i++; i < len(b); i++ {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return len(b)
		}
		i += n
		slashes := 0
		for b[i-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return i + 1
		}
	}
	return len(b)
}

// Bytes decodes a JSON string, in place where it has no escapes. Broken UTF-8
// becomes U+FFFD. What is no string is nil.
func Bytes(raw []byte) []byte {
	if len(raw) < 2 || raw[0] != '"' {
		return nil
	}
	inner := raw[1 : len(raw)-1]
	if bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return inner
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return nil
	}
	return []byte(s)
}

// Text decodes a JSON string like Bytes, and reports whether it is one.
func Text(raw []byte) (string, bool) {
	if len(raw) < 2 || raw[0] != '"' {
		return "", false
	}
	return string(Bytes(raw)), true
}

// Word returns a string or a number as text, "" for all else: servers disagree on
// which of the two a code is.
func Word(raw []byte) string {
	if s, ok := Text(raw); ok {
		return s
	}
	if _, ok := Number(raw); ok {
		return string(raw)
	}
	return ""
}

// Number decodes a JSON number, or a string that holds one.
func Number(raw []byte) (float64, bool) {
	if s, ok := Text(raw); ok {
		raw = []byte(s)
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	return f, err == nil && raw[0] != 'n' && raw[0] != 'N' // not NaN
}

// Nothing reports whether a value says nothing: null, false, "", {}, [].
func Nothing(raw []byte) bool {
	switch string(raw) {
	case "", "null", "false", `""`, "{}", "[]":
		return true
	}
	return false
}

// IsObject reports whether a valid value is an object.
func IsObject(raw []byte) bool {
	_, ok := begin(raw, '{')
	return ok
}

// IsString reports whether a valid value, without space around it, is a string.
func IsString(raw []byte) bool { return len(raw) > 0 && raw[0] == '"' }
