package text

import (
	"bytes"
	"encoding/base64"
	"html"
	"unicode/utf8"
)

// decoded yields what b says where a part of it is written for an address, for a
// page or in base64: the forms in which programs pass texts on. What is not
// written so is left as it is, but for base64, of which only the contents are given.
func decoded(b []byte, yield func([]byte) bool) {
	if bytes.IndexByte(b, '%') >= 0 && !yield(unpercent(b, '+')) {
		return
	}
	if bytes.IndexByte(b, '+') >= 0 && !yield(unpercent(b, ' ')) { // of a query
		return
	}
	if amp := bytes.IndexByte(b, '&'); amp >= 0 && bytes.IndexByte(b[amp:], ';') > 0 {
		if d := html.UnescapeString(string(b)); !yield([]byte(d)) {
			return
		}
	}
	if d := unbase64(b); len(d) > 0 {
		yield(d)
	}
}

// unpercent resolves %20, and a plus to what it stands for.
func unpercent(b []byte, plus byte) []byte {
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		switch {
		case b[i] == '+':
			out = append(out, plus)
		case b[i] == '%' && i+2 < len(b) && hexDigit(b[i+1]) >= 0 && hexDigit(b[i+2]) >= 0:
			out = append(out, byte(hexDigit(b[i+1])<<4|hexDigit(b[i+2])))
			i += 2
		default:
			out = append(out, b[i])
		}
	}
	return out
}

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

const (
	leastCode = 12 // characters of base64, for less text than is ever looked for
	leastText = 8  // bytes: the shortest text in a row that is taken for one
)

// unbase64 gives the texts that stand in runs of base64 in b, each on a line. A run
// may begin anywhere in a word, and may be broken into lines as programs do.
func unbase64(b []byte) []byte {
	var out, run []byte
	line := 0 // characters of the run since it was last broken
	for i := 0; i <= len(b); i++ {
		c := byte(0)
		if i < len(b) {
			c = sextet(b[i])
		}
		switch {
		case c != 0:
			run, line = append(run, c), line+1
			continue
		case (line == 64 || line == 76) && i+1 < len(b) && (b[i] == '\n' || b[i] == '\r' || b[i] == ' '):
			if b[i] != '\r' || b[i+1] != '\n' {
				line = 0
			}
			continue
		case len(run) >= leastCode:
			out = appendTexts(out, run)
		}
		run, line = run[:0], 0
	}
	return out
}

// sextet is a character of base64 in the usual alphabet, 0 if it is none.
func sextet(c byte) byte {
	switch {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '+', c == '/':
		return c
	case c == '-':
		return '+'
	case c == '_':
		return '/'
	}
	return 0
}

// appendTexts appends what a run says, from each of the places where a group of
// four may begin.
func appendTexts(out, run []byte) []byte {
	buf := make([]byte, base64.RawStdEncoding.DecodedLen(len(run)))
	for from := range 4 {
		part := run[from:]
		if len(part)%4 == 1 {
			part = part[:len(part)-1]
		}
		n, err := base64.RawStdEncoding.Decode(buf, part)
		if err != nil {
			continue
		}
		out = appendPrintable(out, buf[:n])
	}
	return out
}

// appendPrintable appends the parts of b that are text.
func appendPrintable(out, b []byte) []byte {
	start := 0
	end := func(i int) {
		if i-start >= leastText {
			out = append(append(out, b[start:i]...), '\n')
		}
	}
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n <= 1 || r < ' ' && r != '\n' && r != '\t' && r != '\r' || r == 0x7f {
			end(i)
			start = i + max(n, 1)
		}
		i += max(n, 1)
	}
	end(len(b))
	return out
}
