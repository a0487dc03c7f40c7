package view

import (
	"strings"

	"ken/internal/termsafe"
)

// Wrap breaks the lines of a text that are wider than width cells (0: none is) at
// blanks; what is continued stands hang cells from the left, or as far as its own
// line began if that is further. A word that is wider than a line stays whole:
// the terminal breaks it, and it can be copied.
func Wrap(text string, width, hang int) string {
	if width <= 0 {
		return text
	}
	hang = min(hang, width/2)
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		wrapLine(&b, line, width, hang)
	}
	return b.String()
}

func wrapLine(b *strings.Builder, line string, width, hang int) {
	if termsafe.Width(line) <= width {
		b.WriteString(line)
		return
	}
	body := strings.TrimLeft(line, " ")
	indent := len(line) - len(body)
	b.WriteString(line[:indent])
	if indent <= width/2 {
		hang = max(hang, indent)
	}
	at := indent // the cells of the line so far
	begun := false
	for word := range strings.SplitSeq(body, " ") {
		w := termsafe.Width(word)
		switch {
		case !begun:
		case at+1+w > width:
			b.WriteString("\n" + strings.Repeat(" ", hang))
			at = hang
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at, begun = at+w, true
		if at > width {
			at %= width
		}
	}
}
