package redact

import (
	"strings"

	"ken/internal/redact/chars"
)

// maxDepth is how many encodings are taken off: a secret in base64 in a URL.
const maxDepth = 2

// maxDecoded is the most bytes of a token that are decoded to look inside.
const maxDecoded = 64 << 10

// long looks at a long run of token bytes: for a token without a prefix, and for
// base64 or hexadecimal digits of a text that holds a secret, of which the whole run is the hit.
func (f *finder) long(start, end int) {
	if end-start >= 50 && (f.discord(start, end) || f.mailgun(start, end)) {
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
	decode := chars.Decode64
	if b, ok := decode(v[:longToken]); !ok || !chars.IsTextHead(b) {
		decode = chars.DecodeHex
		if b, ok := decode(v[:longToken]); !ok || !chars.IsTextHead(b) {
			return
		}
	}
	b, ok := decode(v)
	if !ok || !chars.IsText(b) {
		return
	}
	if hits := f.inside(string(b)); len(hits) > 0 {
		f.add(framed, hits[0].Kind, start, start+len(v))
	}
}

// percent takes the encoding of URLs and forms off the word around f.s[at], a '%' or
// a '+', and adds the encoded form of what is found in it.
func (f *finder) percent(at int) {
	if f.depth >= maxDepth || at < f.encodedDone || f.s[at] == '%' && (at+2 >= len(f.s) || !chars.IsHex(f.s[at+1]) ||
		!chars.IsHex(f.s[at+2])) {
		return
	}
	in := func(c byte) bool {
		return c > ' ' && c < 0x7f && !chars.IsQuote(c) && c != '<' && c != '>' && c != '\\'
	}
	if f.s[at] == '+' {
		if at >= f.queryDone {
			f.queryDone = chars.RunOf(f.s, at, in)
			word := chars.RunBack(f.s, at, in)
			f.query = word + strings.IndexByte(f.s[word:f.queryDone]+"=", '=')
		}
		if f.query > at {
			return // of base64, a sum or a telephone number, and no blank in a query
		}
	}
	start, stop := chars.RunBack(f.s, at, in), chars.RunOf(f.s, at, in)
	f.encodedDone = stop
	if stop-start > maxDecoded {
		return
	}
	text, from := chars.Unescape(f.s[start:stop])
	hits := f.inside(text)
	if strings.IndexByte(text, '+') >= 0 {
		hits = append(hits, f.inside(strings.ReplaceAll(text, "+", " "))...) // as forms encode a blank
	}
	for _, h := range hits {
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
	text, from := chars.Unquote(s[start:stop])
	for _, h := range f.inside(text) {
		f.add(framed, h.Kind, start+from[h.Start], start+from[h.End])
	}
}
