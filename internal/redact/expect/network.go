package expect

import (
	"strings"

	"ken/internal/redact/chars"
)

// readNetworkKey looks at a word for a key at text[at:end]: the key of a network or of a
// service, if its sentence tells of one.
func (r *Reader) readNetworkKey(at, end int) {
	s := r.text
	for end > at+1 && s[end-1] == ' ' {
		end--
	}
	if s[at] < 0x80 && (!chars.StartsWord(s, at) || at > 0 && strings.IndexByte("_-.$(*&\"'", s[at-1]) >= 0) ||
		s[end-1] < 0x80 && end < len(s) && (chars.IsWordByte(s[end]) || strings.IndexByte("([.=-_", s[end]) >= 0) {
		return
	}
	line, limit := lineBounds(s, at, maxSentence)
	if strings.ContainsAny(s[line:limit], "{};=") || strings.Contains(s[line:limit], "(\"") {
		return
	}
	switch {
	case r.stuck(end, limit), chars.HasPrefixFold(s[at:end], "wpa") && end-at == 4:
	case r.says(aNetwork, line):
		if !r.ahead(end, sentence{foreign: s[at] >= 0xd7}) && !r.behind(at, false) {
			r.answer(at, end)
		}
	case strings.Contains(r.saidText, "api") || strings.Contains(r.saidText, "service") || strings.Contains(r.saidText, "appkey"):
		r.serviceKey(end, limit)
	}
}

// stuck adds the key in digits right behind a word for one, as it stands on a router: "WPA2 0123 4567 8901 2345".
func (r *Reader) stuck(end, limit int) bool {
	s := r.text
	i := chars.RunOf(s[:limit], end, func(c byte) bool { return chars.IsBlank(c) || c == ':' })
	stop := chars.RunOf(s[:limit], i, func(c byte) bool { return chars.IsDigit(c) || c == ' ' || c == '-' })
	stop = chars.RunBack(s, stop, func(c byte) bool { return !chars.IsDigit(c) })
	if sh := chars.ShapeOf(s[i:max(i, stop)]); i == end || sh.Digit < 16 || sh.Digit > 20 || sh.Symbol > 5 || !endsClause(s, stop) {
		return false
	}
	if stop == len(s) {
		r.hold(i)
	}
	r.add("password", i, stop)
	return true
}

// serviceKey adds the key in hexadecimal digits that a sentence gives behind text[i].
func (r *Reader) serviceKey(i, limit int) {
	s := r.text
	bound := false
	for n := 0; n < maxAhead+4 && i < limit; n++ {
		t := nextToken(s, i, limit)
		if t.start >= limit {
			return
		}
		start, end := trimmed(s, t.start, t.end)
		if v := s[start:end]; isHexKey(v) && chars.ShapeOf(v).Digit > 3 {
			if bound || n == 0 {
				r.add("api-key", start, end)
			}
			return
		}
		bound = strings.HasSuffix(s[t.start:t.end], ":") || is(aLink, s[t.start:t.end]) || strings.HasSuffix(s[t.start:t.end], ")")
		i = t.end
	}
}
