package termsafe

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// Line returns s cleaned and on one line: every run of white space that holds a
// newline or a tab is one space, none at the ends.
func Line(s string) string {
	s = Clean(s)
	if !strings.ContainsAny(s, "\n\t") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		n := len(s[i:]) - len(strings.TrimLeft(s[i:], " \n\t"))
		switch blank := s[i : i+n]; {
		case n == 0:
			n = strings.IndexAny(s[i:], " \n\t")
			if n < 0 {
				n = len(s) - i
			}
			b.WriteString(s[i : i+n])
		case !strings.ContainsAny(blank, "\n\t"):
			b.WriteString(blank)
		case i > 0 && i+n < len(s):
			b.WriteByte(' ')
		}
		i += n
	}
	return b.String()
}

// Visible returns s for a person who is to judge its exact bytes, as in an
// approval: nothing is removed, and whatever does not show itself is written
// out. Newlines stay, so that several lines look like several lines; tab and
// carriage return are \t and \r, other control characters and bytes that are
// not UTF-8 are \x1b in form, and invisible characters, and spaces that are not
// the plain one, are ‹U+202E› in form. A backslash stays as it is: a text that
// spells out such an escape looks more dangerous than it is, never less.
func Visible(s string) string {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 || !plain(r) {
			return string(appendVisible([]byte(s[:i]), s[i:]))
		}
		i += n
	}
	return s
}

// plain reports whether r shows itself for what it is.
func plain(r rune) bool {
	return r == '\n' || r == ' ' || r != '\t' && fateOf(r) == shown && !unicode.Is(unicode.Zs, r)
}

func appendVisible(dst []byte, s string) []byte {
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1:
			dst = fmt.Appendf(dst, `\x%02x`, s[0])
		case plain(r):
			dst = append(dst, s[:n]...)
		case r == '\t':
			dst = append(dst, `\t`...)
		case r == '\r':
			dst = append(dst, `\r`...)
		case r < utf8.RuneSelf:
			dst = fmt.Appendf(dst, `\x%02x`, r)
		default:
			dst = fmt.Appendf(dst, "‹U+%04X›", r)
		}
		s = s[n:]
	}
	return dst
}

// Width returns how many terminal cells s takes: 2 for wide characters, 0 for
// combining ones. s should be clean and on one line.
func Width(s string) int {
	return displaywidth.String(s)
}

// Cut returns s if it fits into the given number of terminal cells, and else
// its beginning, cut between characters as a reader sees them, with an ellipsis
// that counts as one cell. It is empty for cells <= 0. s should be clean and on
// one line.
func Cut(s string, cells int) string { return CutWith(s, cells, Ellipsis) }

// CutWith is Cut with another sign than an ellipsis at the end of what was cut.
func CutWith(s string, cells int, sign string) string {
	if cells <= 0 {
		return ""
	}
	return displaywidth.TruncateString(s, cells, sign)
}

// Fit returns as much of the beginning of s as fits into the given number of terminal cells, cut
// between characters as a reader sees them. It is empty for cells <= 0. s should be clean and on one
// line; of a long one no more is read than that.
func Fit(s string, cells int) string {
	if cells <= 0 {
		return ""
	}
	return displaywidth.TruncateString(s, cells, "")
}

// Rows cuts s into what a terminal of that many cells shows in a row each, between
// characters as a reader sees them. An empty s is one empty row; for cells <= 0 there
// is one row. s should be clean and on one line.
func Rows(s string, cells int) (rows []string) {
	for {
		row := Fit(s, cells)
		if row == "" || len(row) == len(s) { // "" for a character that is wider than the row, too
			return append(rows, s)
		}
		rows, s = append(rows, row), s[len(row):]
	}
}
