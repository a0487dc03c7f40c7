package jsonl

import (
	"bytes"
	"iter"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A Value is the text of one JSON value, without space around it, as Object
// yields it: its syntax has been checked. The methods read it as one type;
// their bool is false if it is of another.
type Value []byte

// Type names the value's type for messages: "string", "number", "boolean",
// "array", "object" or "null".
func (v Value) Type() string {
	if len(v) == 0 {
		return "null"
	}
	switch v[0] {
	case '"':
		return "string"
	case '{':
		return "object"
	case '[':
		return "array"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

// Null reports whether the value is null.
func (v Value) Null() bool { return len(v) == 0 || v[0] == 'n' }

// Text reads a string. What cannot be text (a lone surrogate, bytes that are
// not UTF-8) becomes U+FFFD; Lossy reports that.
func (v Value) Text() (s string, ok bool) {
	if v.Type() != "string" {
		return "", false
	}
	if plain, ok := v.Plain(); ok {
		return string(plain), true
	}
	text, _ := unescape(v[1 : len(v)-1])
	return string(text), true
}

// Plain returns the bytes of a string that stands as it reads, without an escape; they are
// part of the value. ok is false for every other value.
func (v Value) Plain() (text []byte, ok bool) {
	if v.Type() != "string" {
		return nil, false
	}
	in := v[1 : len(v)-1]
	return in, bytes.IndexByte(in, '\\') < 0 && utf8.Valid(in)
}

// Lossy reports whether Text, or Texts, reads something that is not quite what
// the line says, since part of it cannot be text.
func (v Value) Lossy() (lossy bool) {
	if bytes.IndexByte(v, '\\') < 0 && utf8.Valid(v) {
		return false
	}
	switch v.Type() {
	case "array":
		for e := range v.Elements() {
			lossy = lossy || e.Type() == "string" && e.Lossy()
		}
	case "string":
		_, lossy = unescape(v[1 : len(v)-1])
	}
	return lossy
}

// Empty reports whether the value says as much as none: null, false, an empty
// string or an empty array.
func (v Value) Empty() bool {
	switch v.Type() {
	case "string":
		return len(v) == len(`""`)
	case "array":
		for range v.Elements() {
			return false
		}
		return true
	}
	return v.Null() || string(v) == "false"
}

// Show returns the value in a message: a short one as it stands.
func (v Value) Show() string {
	if t := v.Type(); t == "array" || t == "object" {
		return "an " + t
	}
	return Clip(string(v))
}

// Clip cuts what a line holds to a size that a message can show.
func Clip(s string) string {
	const most = 40
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "..."
	}
	return s
}

// Int reads a whole number between -(2^53-1) and 2^53-1, the range that every
// JSON reader keeps exactly. 3.0 and 3e0 are not whole numbers here.
func (v Value) Int() (n int64, ok bool) {
	digits := v
	neg := len(v) > 0 && v[0] == '-'
	if neg {
		digits = v[1:]
	}
	if len(digits) == 0 || len(digits) > 16 {
		return 0, false
	}
	for _, c := range digits {
		if c-'0' > 9 {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	if n > 1<<53-1 {
		return 0, false
	}
	if neg {
		n = -n
	}
	return n, true
}

// Float reads any number that a float64 can hold.
func (v Value) Float() (f float64, ok bool) {
	if v.Type() != "number" {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(v), 64)
	return f, err == nil && !math.IsInf(f, 0)
}

// Bool reads true or false.
func (v Value) Bool() (b, ok bool) {
	if v.Type() != "boolean" {
		return false, false
	}
	return v[0] == 't', true
}

// Texts reads an array of strings. An empty array gives an empty slice that is
// not nil.
func (v Value) Texts() (list []string, ok bool) {
	if v.Type() != "array" {
		return nil, false
	}
	list = []string{}
	for e := range v.Elements() {
		s, ok := e.Text()
		if !ok {
			return nil, false
		}
		list = append(list, s)
	}
	return list, true
}

// Elements yields the elements of an array, and nothing for any other type.
func (v Value) Elements() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if v.Type() != "array" {
			return
		}
		s := scanner{b: v, i: 1}
		for first := true; ; first = false {
			more, err := s.element(']', first)
			if err != nil || !more {
				return // the syntax has been checked: no error is left to report
			}
			s.peek()
			start := s.i
			if s.value(1) != nil || !yield(v[start:s.i:s.i]) {
				return
			}
		}
	}
}

// unescape returns the text that in, the inside of a checked JSON string,
// stands for, and whether some of it cannot be text.
func unescape(in []byte) (text []byte, lossy bool) {
	text = make([]byte, 0, len(in))
	for len(in) > 0 {
		r, n := utf8.DecodeRune(in)
		bad := r == utf8.RuneError && n == 1
		if in[0] == '\\' {
			r, n, bad = escaped(in)
		}
		text = utf8.AppendRune(text, r)
		lossy = lossy || bad
		in = in[n:]
	}
	return text, lossy
}

// escaped reads the escape at the start of in, n bytes of it: two of them if
// they make a surrogate pair. A surrogate without its other half is bad.
func escaped(in []byte) (r rune, n int, bad bool) {
	if in[1] != 'u' {
		if i := strings.IndexByte("bfnrt", in[1]); i >= 0 {
			return rune("\b\f\n\r\t"[i]), 2, false
		}
		return rune(in[1]), 2, false
	}
	r = hex4(in[2:])
	if !utf16.IsSurrogate(r) {
		return r, 6, false
	}
	if len(in) >= 12 && in[6] == '\\' && in[7] == 'u' {
		if pair := utf16.DecodeRune(r, hex4(in[8:])); pair != utf8.RuneError {
			return pair, 12, false
		}
	}
	return utf8.RuneError, 6, true
}

// hex4 reads four hexadecimal digits, which have been checked.
func hex4(b []byte) rune {
	n, _ := strconv.ParseUint(string(b[:4]), 16, 32)
	return rune(n)
}
