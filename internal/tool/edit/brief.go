package edit

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"ken/internal/text"
)

// wide is from how many bytes on a line of a difference is cut where it stays as it is, and beside how many
// bytes what stays is shown on each side of a change.
const (
	wide   = 400
	beside = 80
)

// Brief is a difference in the unified format for people, who see nothing in a line of a megabyte: what such a
// line keeps is left out, but for what stands beside a change. What comes and goes is there whole.
func Brief(unified string) string {
	if len(unified) <= wide {
		return unified
	}
	var sb strings.Builder
	var gone, come []string
	flush := func() {
		if len(gone) == len(come) {
			for i := range gone {
				gone[i], come[i] = briefPair(gone[i], come[i])
			}
		}
		for _, line := range append(gone, come...) {
			sb.WriteString(line)
		}
		gone, come = nil, nil
	}
	inside := false
	for line := range strings.Lines(unified) {
		switch {
		case inside && line[0] == '-' && len(come) == 0:
			gone = append(gone, line)
			continue
		case inside && line[0] == '+':
			come = append(come, line)
			continue
		case inside && line[0] == '\\' && len(come) > 0: // it belongs to the line before
			come[len(come)-1] += line
			continue
		case inside && line[0] == '\\' && len(gone) > 0:
			gone[len(gone)-1] += line
			continue
		}
		flush()
		inside = inside || strings.HasPrefix(line, "@@")
		switch {
		case inside && line[0] == '-':
			gone = append(gone, line)
		case inside && line[0] == ' ' && len(line) > wide:
			sb.WriteString(cutEnd(line, wide/2))
		default:
			sb.WriteString(line)
		}
	}
	flush()
	return sb.String()
}

// briefPair are a line that goes and the one that comes in its place without what both have, if they are wide.
func briefPair(gone, come string) (string, string) {
	if len(gone) <= wide && len(come) <= wide {
		return gone, come
	}
	a, b := gone[1:], come[1:]
	from := 0
	for from < len(a) && from < len(b) && a[from] == b[from] {
		from++
	}
	to := 0
	for to < len(a)-from && to < len(b)-from && a[len(a)-1-to] == b[len(b)-1-to] {
		to++
	}
	from, to = max(from-beside, 0), max(to-beside, 0)
	for from > 0 && !utf8.RuneStart(a[from]) {
		from--
	}
	for to > 0 && !utf8.RuneStart(a[len(a)-to]) {
		to--
	}
	keep := func(sign, s string) string {
		return sign + left(from) + s[from:len(s)-to] + leftEnd(s[len(s)-to:])
	}
	return keep("-", a), keep("+", b)
}

// cutEnd is a line without what stands behind its first n bytes, about.
func cutEnd(line string, n int) string {
	head := text.CutBytes(line, n)
	return head + leftEnd(line[len(head):])
}

// leftEnd says what is left out at the end of a line; its break and what is said behind it stay.
func leftEnd(s string) string {
	text, rest, ok := strings.Cut(s, "\n")
	if ok {
		rest = "\n" + rest
	}
	return left(len(text)) + rest
}

func left(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("[... %d bytes as they are ...]", n)
}
