package naming

import (
	"strings"

	"ken/internal/redact/chars"
)

// maxJoined is of how many pieces a value is put together at most.
const maxJoined = 64

// joined adds the pieces of a value that is put together of quoted texts, also over
// lines: "abc" + "def", 'abc' . 'def', ("abc" newline "def"), ['abc', 'def'].join(”).
func (r *Reader) joined(fr frame) bool {
	s := r.text
	if fr.at >= len(s) || fr.element || fr.level == login || fr.level == sessionID {
		return false
	}
	i, list, brackets := fr.at, false, false
	if s[i] == '(' || s[i] == '[' {
		list, brackets = s[i] == '[', true
		i = chars.RunOf(s, i+1, chars.IsSpace)
	}
	var pieces [][2]int
	var whole strings.Builder
	for len(pieces) < maxJoined {
		start, end, ok := literal(s, i)
		if !ok {
			break
		}
		start += strings.IndexByte(s[start:end], s[end-1]) + 1
		if len(pieces) == 0 && start <= end-1 && closesQuote(s, start-1, s[start:end-1]) {
			return false
		}
		pieces = append(pieces, [2]int{start, end - 1})
		whole.WriteString(s[start : end-1])
		if i = joins(s, end, list, brackets); i < 0 {
			break
		}
	}
	if len(pieces) < 2 || list && !strings.HasPrefix(strings.TrimLeft(s[min(len(s), pieces[len(pieces)-1][1]+1):], " \t\r\n,"), "].join") {
		return false
	}
	fr.quoted = true
	if v := whole.String(); strings.ContainsAny(v, " \t") || !fr.accepts(v) {
		return false
	}
	for _, p := range pieces {
		if p[0] < p[1] && !chars.IsReference(s[p[0]:p[1]]) {
			r.add(fr.level.kind(), p[0], p[1])
			r.done = p[1]
		}
	}
	return true
}

// joins returns where the next piece begins of a value whose last piece ends before
// s[i], or -1 if none is joined to it.
func joins(s string, i int, list, brackets bool) int {
	end := min(len(s), i+160)
	k := chars.RunOf(s[:end], i, chars.IsSpace)
	newline := strings.Contains(s[i:k], "\n")
	if list {
		if k < end && s[k] == ',' {
			return chars.RunOf(s[:end], k+1, chars.IsSpace)
		}
		return -1
	}
	for _, op := range [...]string{"+", "..", ".", "&", "||", "<>", "~"} {
		if strings.HasPrefix(s[k:end], op) {
			return chars.RunOf(s[:end], k+len(op), func(c byte) bool { return chars.IsSpace(c) || c == '_' })
		}
	}
	switch {
	case k < end && s[k] == '\\' && k+1 < end && chars.IsSpace(s[k+1]):
		return chars.RunOf(s[:end], k+1, chars.IsSpace)
	case k < end && chars.IsQuote(s[k]) && (!newline && k == i || brackets):
		return k
	}
	return -1
}
