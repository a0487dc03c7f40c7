package redact

import (
	"strings"

	"ken/internal/redact/look"
)

// maxDepth is how many encodings are taken off: a secret in base64 in a URL.
const maxDepth = 2

// maxDecoded is the most bytes of a token that are decoded to look inside.
const maxDecoded = 64 << 10

func encodedRules() []rule {
	return []rule{{"percent-encoded", []string{"%3a", "%3d", "%22", "%20"}, (*finder).percent}}
}

// long looks at a long run of token bytes: for a token without a prefix, and for
// base64 of a text that holds a secret, of which the whole run is the hit.
func (f *finder) long(start, end int) {
	if end-start >= 56 && f.discord(start, end) {
		return
	}
	if f.depth >= maxDepth || end-start > maxDecoded {
		return
	}
	// The run may begin with a name and '=', or be the path of a file.
	v := f.s[start:end]
	if i := strings.LastIndexByte(strings.TrimRight(v, "="), '='); i >= 0 {
		start, v = start+i+1, v[i+1:]
	}
	if len(v) < longToken || strings.IndexByte(v, '.') >= 0 {
		return
	}
	// Decode the head alone first: most runs are no text.
	if b, ok := decode64(v[:longToken]); !ok || !isTextHead(b) {
		return
	}
	b, ok := decode64(v)
	if !ok || !isText(b) {
		return
	}
	if hits := f.inside(string(b)); len(hits) > 0 {
		f.add(framed, hits[0].Kind, start, start+len(v))
	}
}

// isTextHead is isText for the beginning of a text, which may be cut inside a
// character.
func isTextHead(b []byte) bool {
	for cut := 0; cut < 4 && cut < len(b); cut++ {
		if isText(b[:len(b)-cut]) {
			return true
		}
	}
	return false
}

// percent takes the percent-encoding off the word around the anchor, and adds
// the encoded form of what is found in it.
func (f *finder) percent(at, end int) {
	if f.depth >= maxDepth || at < f.encodedDone {
		return
	}
	in := func(c byte) bool { return c > ' ' && c < 0x7f && !look.IsQuote(c) && c != '<' && c != '>' && c != '\\' }
	start := look.RunBack(f.s, at, in)
	stop := look.RunOf(f.s, end, in)
	f.encodedDone = stop
	if stop-start > maxDecoded {
		return
	}
	text, from := unescape(f.s[start:stop])
	for _, h := range f.inside(text) {
		f.add(framed, h.Kind, start+from[h.Start], start+from[h.End])
	}
}

// maxString is the most bytes of a quoted string that are decoded to look inside.
const maxString = 8 << 10

// escaped takes the escapes of JSON, and of most languages, off the string
// around the backslash at f.s[at], and adds the escaped form of what is found in
// it: a rule that reads lines or quotes does not see them through escapes.
func (f *finder) escaped(at int) {
	if f.depth >= maxDepth || at < f.stringDone {
		return
	}
	s := f.s
	start := at
	for start > 0 && s[start-1] != '"' && s[start-1] != '\n' && at-start < maxString {
		start--
	}
	stop := at
	for stop < len(s) && s[stop] != '"' && s[stop] != '\n' && stop-at < maxString {
		if s[stop] == '\\' {
			stop++
		}
		stop++
	}
	stop = min(stop, len(s))
	f.stringDone = stop
	text, from := unquote(s[start:stop])
	for _, h := range f.inside(text) {
		f.add(framed, h.Kind, start+from[h.Start], start+from[h.End])
	}
}

// unquote decodes the escapes \n, \r, \t, \u00XX and a backslash before
// anything else in v. from is as in unescape.
func unquote(v string) (text string, from []int) {
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
				if i+4 < len(v) && v[i+1:i+3] == "00" && look.IsHex(v[i+3]) && look.IsHex(v[i+4]) {
					c = unhex(v[i+3])<<4 | unhex(v[i+4])
					i += 4
				}
			}
		}
		b = append(b, c)
	}
	return string(b), append(from, len(v))
}

// unescape decodes %XX in v. from maps each offset in the result, its length
// included, to one in v.
func unescape(v string) (text string, from []int) {
	b := make([]byte, 0, len(v))
	from = make([]int, 0, len(v)+1)
	for i := 0; i < len(v); i++ {
		from = append(from, i)
		c := v[i]
		if c == '%' && i+2 < len(v) && look.IsHex(v[i+1]) && look.IsHex(v[i+2]) {
			c = unhex(v[i+1])<<4 | unhex(v[i+2])
			i += 2
		}
		b = append(b, c)
	}
	return string(b), append(from, len(v))
}

func unhex(c byte) byte {
	if look.IsDigit(c) {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}
