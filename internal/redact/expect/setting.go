package expect

import (
	"strings"

	"ken/internal/redact/chars"
)

// readSetting looks at the name of a setting at text[at:end] that others have for something else
// too: its value counts if it is a key.
func (r *Reader) readSetting(at, end int) {
	s := r.text
	name := lowerASCII(s[at:end])
	if at > 0 && chars.IsAlnum(s[at-1]) || end < len(s) && chars.IsWordByte(s[end-1]) && chars.IsWordByte(s[end]) {
		return
	}
	i := chars.RunOf(s[:min(len(s), end+4)], end, func(c byte) bool { return chars.IsQuote(c) || chars.IsBlank(c) })
	if i < len(s) && s[i] == '(' && strings.HasPrefix(name, "app") {
		// AppKey (keep private) X
		if k := strings.IndexByte(s[i:min(len(s), i+40)], ')'); k > 0 {
			i += k + 1
		}
	}
	i = chars.RunOf(s[:min(len(s), i+6)], i, func(c byte) bool { return c == ':' || c == '=' || chars.IsBlank(c) || chars.IsQuote(c) })
	if i == end && s[end-1] != '=' {
		return
	}
	stop := chars.RunOf(s, i, func(c byte) bool { return !chars.IsSpace(c) && !chars.IsQuote(c) })
	for stop > i && strings.IndexByte(",;)", s[stop-1]) >= 0 {
		stop--
	}
	v := s[i:stop]
	if stop == len(s) {
		r.hold(i)
	}
	if isHexKey(v) || isKeyText(v) || isDrawn(v) && end-at > 5 || strings.HasPrefix(name, "pass") && gradeOf(v) > ordinary {
		r.add("secret", i, stop)
	}
}

// isDrawn reports whether v is 24 letters and digits or more that a program drew.
func isDrawn(v string) bool {
	sh := chars.ShapeOf(v)
	return len(v) >= 24 && len(v) <= 64 && sh.Digit > 3 && sh.Letters() > 7 && sh.Digit+sh.Letters() == len(v) && chars.IsRandom(v) &&
		!chars.IsHexText(v)
}

// readInstead looks at the sign for "or else" at text[at:end], behind which a literal stands for
// a secret that the line names.
func (r *Reader) readInstead(at, end int) {
	s := r.text
	i := chars.RunOf(s, end, chars.IsBlank)
	if i >= len(s) || !chars.IsQuote(s[i]) {
		return
	}
	l, ok := literalAt(s, i)
	if !ok {
		return
	}
	v := s[l.start:l.end]
	g := gradeOf(v)
	if g == ordinary && !isKeyText(v) && !isHexKey(v) {
		return
	}
	line, _ := lineBounds(s, at, maxSentence)
	named := lowerASCII(s[line:at])
	for _, w := range [...]string{"file", "path", "url", "name", "header", "field", "endpoint", "public", "hash", "prefix", "length", "type"} {
		if strings.Contains(named, w) {
			return
		}
	}
	for _, w := range [...]string{
		"secret", "passw", "pwd", "token", "apikey", "api_key", "pass", "jwt", "session", "credential",
		"authkey", "signing",
	} {
		if strings.Contains(named, w) {
			r.add("password", l.start, l.end)
			return
		}
	}
}

// readSID looks at what an account of a service begins with at text[at:], in quotes, behind which
// its key is the next literal.
func (r *Reader) readSID(at, _ int) {
	s := r.text
	l, ok := literalAt(s, at)
	if !ok || l.end-l.start != 34 || !chars.IsHexText(s[l.start+2:l.end]) {
		return
	}
	i := chars.RunOf(s, l.after, func(c byte) bool { return c == ',' || chars.IsSpace(c) })
	if k, ok := literalAt(s, i); ok && i > l.after && isHexKey(s[k.start:k.end]) {
		r.add("token", k.start, k.end)
	}
}
