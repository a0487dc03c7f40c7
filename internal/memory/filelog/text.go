package filelog

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"ken/internal/memory"
)

// broken reports whether a line that cannot be read has to go.
func (x *erasure) broken(r *reader, line rawLine) (bool, error) {
	text := line.Bytes
	if text == nil { // a line that is too long is looked at whole all the same
		text = make([]byte, line.Len)
		if _, err := r.f.ReadAt(text, line.Offset); err != nil {
			return false, err
		}
	}
	named := bytes.TrimSuffix(text[:min(len(text), memory.MaxLine)], []byte("\r"))
	return x.ids[memory.HashID(named)] || x.holdsText(text) || x.namedIn(text), nil
}

// holdsText reports whether line holds what one of the items said.
func (x *erasure) holdsText(line []byte) bool {
	if len(x.texts) == 0 {
		return false
	}
	raw, plain := normal(string(line)), normal(unescape(line))
	for _, t := range x.texts {
		if strings.Contains(raw, t) || strings.Contains(plain, t) {
			return true
		}
	}
	return false
}

// namedIn reports whether line, which cannot be read, seems to name one of the
// items as its id or target.
func (x *erasure) namedIn(line []byte) bool {
	for _, name := range []string{`"id"`, `"target"`} {
		for rest := line; ; {
			_, after, found := bytes.Cut(rest, []byte(name))
			if !found {
				break
			}
			rest = after
			value, ok := bytes.CutPrefix(bytes.TrimLeft(after, " \t"), []byte(":"))
			if ok && x.ids[firstID(bytes.TrimLeft(value, " \t")).From(x.own)] {
				return true
			}
		}
	}
	return false
}

// firstID reads the reference that value begins with; the zero ID if there is
// none.
func firstID(value []byte) memory.ID {
	var ref string
	if s, ok := bytes.CutPrefix(value, []byte(`"`)); ok {
		s, _, _ = bytes.Cut(s, []byte(`"`))
		ref = string(s)
	} else {
		n := 0
		for n < len(value) && value[n] >= '0' && value[n] <= '9' {
			n++
		}
		ref = string(value[:n])
	}
	id, err := memory.ParseID(ref)
	if err != nil {
		return memory.ID{}
	}
	return id
}

// normal brings a text into the form in which two texts are the same if they
// differ only in case, in spaces, and in how Unicode spells them.
func normal(s string) string {
	s = norm.NFKC.String(s)
	s = strings.Map(foldCase, s)
	s = norm.NFKC.String(s)
	return strings.Join(strings.Fields(s), " ")
}

// foldCase maps all runes that differ only in case to one of them.
func foldCase(r rune) rune {
	least := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	return least
}

// unescape resolves the escapes of JSON strings wherever they stand in line,
// which may be cut off or damaged anywhere. What is no escape stays.
func unescape(line []byte) string {
	if bytes.IndexByte(line, '\\') < 0 {
		return string(line)
	}
	out := make([]byte, 0, len(line))
	for i := 0; i < len(line); {
		if line[i] != '\\' || i+1 == len(line) {
			out = append(out, line[i])
			i++
			continue
		}
		switch c := line[i+1]; c {
		case 'u':
			r, n := unescapeRune(line[i:])
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
	return string(out)
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
