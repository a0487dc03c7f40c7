package llm

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// A walk goes over the members of a JSON object or the elements of an array
// without decoding them. What it walks over must be valid JSON: events are
// checked once, as a whole, and then looked into, which costs a fraction of
// decoding every value. Names are case-sensitive.
type walk struct {
	b []byte
	i int
}

// members begins a walk over an object; over anything else it finds nothing.
func members(raw []byte) walk { return begin(raw, '{') }

// elements begins a walk over an array; over anything else it finds nothing.
func elements(raw []byte) walk { return begin(raw, '[') }

func begin(raw []byte, open byte) walk {
	i := blank(raw, 0)
	if i >= len(raw) || raw[i] != open {
		return walk{}
	}
	return walk{raw, i + 1}
}

// member returns the next name and value of an object.
func (w *walk) member() (name, value []byte, ok bool) {
	name, ok = w.element()
	if !ok {
		return nil, nil, false
	}
	value, ok = w.element()
	return unquoted(name), value, ok
}

// element returns the next value of an array.
func (w *walk) element() (value []byte, ok bool) {
	i := blank(w.b, w.i)
	if i >= len(w.b) || w.b[i] == '}' || w.b[i] == ']' {
		w.i = len(w.b)
		return nil, false
	}
	w.i = skip(w.b, i)
	return w.b[i:w.i], true
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

// unquoted returns the text of a JSON string as bytes, without a copy where it
// has no escapes.
func unquoted(raw []byte) []byte {
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

// text decodes a JSON string; broken UTF-8 becomes U+FFFD.
func text(raw []byte) (string, bool) {
	if len(raw) < 2 || raw[0] != '"' {
		return "", false
	}
	return string(unquoted(raw)), true
}

// word is a string or a number as text: servers disagree on which codes are.
func word(raw []byte) string {
	if s, ok := text(raw); ok {
		return s
	}
	if _, ok := number(raw); ok {
		return string(raw)
	}
	return ""
}

// number decodes a JSON number, or a string that holds one.
func number(raw []byte) (float64, bool) {
	if s, ok := text(raw); ok {
		raw = []byte(s)
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	return f, err == nil && len(raw) > 0 && raw[0] != 'n' && raw[0] != 'N'
}

// nothing reports whether a value says nothing: null, false, "", {}, [].
func nothing(raw []byte) bool {
	switch string(raw) {
	case "", "null", "false", `""`, "{}", "[]":
		return true
	}
	return false
}

func isObject(raw []byte) bool {
	i := blank(raw, 0)
	return i < len(raw) && raw[i] == '{'
}
