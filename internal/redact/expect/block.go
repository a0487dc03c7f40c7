package expect

import (
	"strings"

	"ken/internal/redact/chars"
)

// maxBlock is how much of a block of YAML is read, in bytes.
const maxBlock = 2 << 10

// readBlock looks at the head of a block at text[at:end]: a scalar on lines of its own, the
// data of a Secret of Kubernetes, the list of chpasswd, a list of a user and a password.
func (r *Reader) readBlock(at, end int) {
	s := r.text
	head := lowerASCII(s[at:end])
	switch {
	case strings.HasPrefix(head, "kind") || strings.HasPrefix(head, "\"kind"):
		r.secretObject(at)
	case head == "chpasswd":
		r.accounts(end)
	case strings.HasSuffix(head, " "):
		r.scalar(at, end)
	default:
		r.pairOf(at, end)
	}
}

// scalar adds a block scalar, "secret: >-" and an indented line below.
func (r *Reader) scalar(at, end int) {
	s := r.text
	line, _ := lineBounds(s, at, maxSentence)
	i := chars.RunOf(s, end, chars.IsBlank)
	if i >= len(s) || s[i] != '|' && s[i] != '>' {
		return
	}
	i = chars.RunOf(s, i, func(c byte) bool { return strings.IndexByte("|>-+0123456789", c) >= 0 })
	if i = chars.RunOf(s, i, chars.IsBlank); i >= len(s) || s[i] != '\n' && s[i] != '\r' {
		return
	}
	for n := 0; n < 40; n++ {
		from := chars.RunOf(s, i, func(c byte) bool { return c == '\n' || c == '\r' })
		begin := chars.RunOf(s, from, chars.IsBlank)
		stop := chars.RunOf(s, begin, func(c byte) bool { return !chars.IsSpace(c) })
		if begin-from <= indentOf(s, line) || begin == stop || stop < len(s) && chars.IsBlank(s[stop]) {
			return
		}
		if v := s[begin:stop]; gradeOf(v) > ordinary || isKeyText(v) {
			if stop == len(s) {
				r.hold(begin)
			}
			r.add("secret", begin, stop)
		}
		i = stop
	}
}

// indentOf is how many blanks begin the line at s[line].
func indentOf(s string, line int) int { return chars.RunOf(s, line, chars.IsBlank) - line }

// secretObject adds the values below data: and stringData: of the object around text[at].
func (r *Reader) secretObject(at int) {
	s := r.text
	if at < r.blockDone {
		return
	}
	from := max(0, at-maxBlock/2)
	if k := strings.LastIndex(s[from:at], "\n---"); k >= 0 {
		from += k + 4
	}
	limit := min(len(s), at+maxBlock)
	if k := strings.Index(s[at:limit], "\n---"); k >= 0 {
		limit = at + k
	}
	r.blockDone = limit
	inside, indent := false, 0
	for i := from; i < limit; {
		end := chars.LineEnd(s, i, limit-i)
		text := strings.TrimSpace(s[i:end])
		switch {
		case text == "data:" || text == "stringData:":
			inside, indent = true, indentOf(s, i)
		case inside && text != "" && indentOf(s, i) <= indent:
			inside = false
		case inside:
			if k := strings.Index(s[i:end], ": "); k > 0 {
				v := chars.RunOf(s[:end], i+k+1, chars.IsBlank)
				last := max(v, chars.RunBack(s, end, chars.IsSpace))
				start, stop := trimmed(s, v, last)
				if gradeOf(s[start:stop]) > ordinary {
					r.add("secret", start, stop)
				} else if isEncoded(s[v:last]) {
					r.add("secret", v, last)
				}
			}
		}
		i = end + 1
	}
}

// isEncoded reports whether v is base64 of a short text with a password's look.
func isEncoded(v string) bool {
	if len(v) < 8 || len(v)%4 != 0 {
		return false
	}
	b, ok := chars.Decode64(v)
	return ok && chars.IsText(b) && gradeOf(strings.TrimSpace(string(b))) > ordinary
}

// accounts adds the passwords of lines name:password below chpasswd.
func (r *Reader) accounts(i int) {
	s := r.text
	limit := min(len(s), i+maxBlock/4)
	for n := 0; i < limit && n < 48; n++ {
		i = chars.RunOf(s[:limit], i, func(c byte) bool { return chars.IsSpace(c) || chars.IsQuote(c) || c == '-' || c == '|' || c == '{' })
		end := chars.RunOf(s[:limit], i, func(c byte) bool { return !chars.IsSpace(c) })
		if user, _, ok := strings.Cut(s[i:end], ":"); ok && user != "" && len(user) < 33 {
			start, stop := trimmed(s, i+len(user)+1, end)
			if start < stop && gradeOf(s[start:stop]) > ordinary {
				r.add("password", start, stop)
			}
		}
		if i == end {
			break
		}
		i = end
	}
}

// pairOf adds the second of two items below or behind "login:", a user and a password.
func (r *Reader) pairOf(at, end int) {
	s := r.text
	if at > 0 && (chars.IsWordByte(s[at-1]) && s[at-1] != '_' || s[at-1] == '-') {
		return
	}
	limit := min(len(s), end+160)
	i := chars.RunOf(s[:limit], end, chars.IsBlank)
	if i >= limit {
		return
	}
	var start, stop int
	switch s[i] {
	case '[':
		k := strings.IndexByte(s[i:limit], ',')
		shut := strings.IndexByte(s[i:limit], ']')
		if k < 0 || shut < k || strings.Count(s[i:i+shut], ",") != 1 {
			return
		}
		start, stop = i+k+1, i+shut
		start = chars.RunOf(s, start, chars.IsBlank)
	case '\n', '\r':
		items := 0
		for i < limit && items < 2 {
			i = chars.RunOf(s[:limit], i, chars.IsSpace)
			if !strings.HasPrefix(s[i:limit], "- ") {
				return
			}
			start, stop = i+2, chars.LineEnd(s, i, limit-i)
			items, i = items+1, stop
		}
		if next := chars.RunOf(s, stop, chars.IsSpace); items < 2 || strings.HasPrefix(s[next:], "- ") {
			return // a list of more
		}
		stop = chars.RunBack(s, stop, chars.IsSpace)
	default:
		return
	}
	if start, stop = trimmed(s, start, stop); start < stop && gradeOf(s[start:stop]) > ordinary &&
		strings.IndexByte(s[start:stop], ' ') < 0 {
		r.add("password", start, stop)
	}
}
