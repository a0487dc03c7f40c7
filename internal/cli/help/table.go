package help

import (
	"strings"

	"ken/internal/termsafe"
	"ken/internal/wrap"
)

// A Row is what is typed, and what it does.
type Row struct{ Use, About string }

// widest is the most cells that what is typed takes beside what it does; longer ones
// stand above it.
const widest = 26

// rows sets rows in two columns, in from the left. Where width (0: any) has no room for
// two, what a row does stands below it.
func rows(list []Row, in, width int) []string {
	column := 0
	for _, r := range list {
		if w := termsafe.Width(r.Use); width == 0 || w <= widest {
			column = max(column, w)
		}
	}
	from := in + column + 2
	below := width > 0 && width-from < 24
	if below {
		from = in + 4
	}
	margin := strings.Repeat(" ", from)
	var out []string
	for _, r := range list {
		use := strings.Repeat(" ", in) + r.Use
		if r.About == "" {
			out = append(out, broken(use, width, in+4)...)
			continue
		}
		about := broken(r.About, max(width-from, min(width, 1)), 0)
		if below || width > 0 && termsafe.Width(r.Use) > column {
			out = append(out, broken(use, width, in+4)...)
		} else {
			out = append(out, use+strings.Repeat(" ", from-termsafe.Width(use))+about[0])
			about = about[1:]
		}
		for _, line := range about {
			out = append(out, margin+line)
		}
	}
	return out
}

// broken is a text in lines of at most width cells (0: any), broken at blanks; what is
// continued stands hang cells from the left. What is wider, a word or a command that is to
// be typed, stands whole on a line of its own.
func broken(text string, width, hang int) []string {
	return strings.Split(wrap.Text(text, width, min(hang, width/2)), "\n")
}

// prose fills a text anew: blank lines part paragraphs, and indented lines stand as they
// are, as far as they fit.
func prose(text string, width int) []string {
	if width == 0 {
		return strings.Split(text, "\n")
	}
	var out, par []string
	flush := func() {
		if len(par) > 0 {
			out = append(out, broken(strings.Join(par, " "), width, 0)...)
			par = nil
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		if line == "" || strings.HasPrefix(line, "  ") {
			flush()
			out = append(out, broken(line, width, 4)...)
			continue
		}
		par = append(par, line)
	}
	flush()
	return out
}
