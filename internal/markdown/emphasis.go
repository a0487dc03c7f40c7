package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"ken/internal/termsafe"
)

// Emphasis is found as CommonMark does, but more carefully where people mean the
// marks themselves: 2*3*4, **/*.go, *.md, snake_case and __init__ are text.

// A delimiter is a run that may have begun emphasis.
type delimiter struct {
	at, n int
	next  rune // what comes after it
}

// emphasis takes the emphasis that s begins with, or else its delimiters as text.
func (in *inline) emphasis(s string, end bool) int {
	n := run(s)
	if n == len(s) && !end {
		return 0
	}
	next, _ := utf8.DecodeRuneInString(s[n:])
	if n == len(s) {
		next = 0
	}
	if !canOpen(s[0], n, in.prev, next) {
		in.put(s[:n], in.is)
		return n
	}
	length, use, known := in.match(s, n, next, end)
	switch {
	case !known:
		return 0
	case length == 0:
		in.put(s[:n], in.is)
		return n
	}
	// It is complete, and what stands in it is a text like this one.
	sub := *in
	sub.is, sub.put, sub.title, sub.held, sub.prev = in.is.With(emphasisStyle(s[0], use)), in.whole, false, "", rune(s[0])
	sub.drain(s[use:length-use], true)
	return length
}

// match finds where the emphasis ends that s begins with, n delimiters and then
// next: its length, 0 if it has no end, and how many delimiters stand at either
// end of it.
func (in *inline) match(s string, n int, next rune, end bool) (length, use int, known bool) {
	open := []delimiter{{0, n, next}}
	prev, links := rune(s[0]), true
	for i := n; i < len(s); {
		c := s[i]
		if c != s[0] {
			u := unit{n: 1}
			switch {
			case c >= utf8.RuneSelf:
				_, u.n = utf8.DecodeRuneInString(s[i:])
			case strings.IndexByte("\\`<&", c) >= 0, c == '[' && links:
				if u = in.unit(s[i:], prev, end); u.n == 0 {
					return 0, 0, false
				}
				links = links && u.kind != unclosed // each costs a look to the end
			}
			i += u.n
			prev, _ = utf8.DecodeLastRuneInString(s[:i])
			continue
		}
		k := run(s[i:])
		if i+k == len(s) && !end {
			return 0, 0, false
		}
		next := rune(0)
		if i+k < len(s) {
			next, _ = utf8.DecodeRuneInString(s[i+k:])
		}
		left := k
		for canClose(c, k, prev, next) && left > 0 && len(open) > 0 {
			d := &open[len(open)-1]
			if use = min(d.n, left); use < d.n && d.n < 3 || isName(s, *d, i, use) {
				break // *** may end as ** and *, but ** does not end in halves
			}
			d.n, left = d.n-use, left-use
			if d.n == 0 {
				open = open[:len(open)-1]
			}
		}
		switch i += k; {
		case len(open) == 0:
			return i - left, use, true
		case left == k && canOpen(c, k, prev, next):
			open = append(open, delimiter{i - k, k, next})
		}
		prev = rune(c)
	}
	return 0, 0, end
}

// isName reports whether what stands between a delimiter and the place at is a
// name that they belong to: __init__, or a path between globs.
func isName(s string, d delimiter, at, use int) bool {
	inside := strings.TrimLeft(s[d.at:at], s[:1])
	if d.next == '/' && strings.HasSuffix(inside, "/") {
		return true
	}
	if s[0] != '_' || use != 2 {
		return false
	}
	for _, r := range inside {
		if !isWord(r) {
			return false
		}
	}
	return true
}

func emphasisStyle(c byte, n int) style {
	switch {
	case c == '~':
		return strike
	case n == 1:
		return italic
	case n == 2:
		return bold
	}
	return bold | italic
}

// canOpen reports whether a run of n delimiters c may begin emphasis; prev and
// next are the characters around it, 0 for the ends of the line.
func canOpen(c byte, n int, prev, next rune) bool {
	if n > 3 || c == '~' && n != 2 || next == 0 || unicode.IsSpace(next) {
		return false
	}
	before := prev == 0 || unicode.IsSpace(prev) || prev >= utf8.RuneSelf && (!unicode.IsLetter(prev) || termsafe.IsIdeograph(prev)) ||
		prev < utf8.RuneSelf && strings.ContainsRune("([{\"'-:;,>*_~|", prev)
	if !before {
		return false
	}
	if next >= utf8.RuneSelf || isWord(next) {
		return true
	}
	if n == 1 {
		return strings.ContainsRune("`\"'([$<&\\*~", next)
	}
	return !strings.ContainsRune(")]},;:?", next)
}

// canClose is the same for the end of emphasis.
func canClose(c byte, n int, prev, next rune) bool {
	switch {
	case prev == 0 || unicode.IsSpace(prev):
		return false
	case c == '~':
		return n == 2
	case c == '*' && n > 1 || next == 0:
		return true
	}
	return !isWord(next) || c == '*' && termsafe.IsIdeograph(next)
}
