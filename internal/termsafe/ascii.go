package termsafe

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The signs for what was cut, of one cell each.
const (
	Ellipsis      = "…"
	ASCIIEllipsis = "~" // on a terminal that shows no more than ASCII
)

// Sign is the sign for what was cut on a terminal that shows no more than ASCII, or any.
func Sign(ascii bool) string {
	if ascii {
		return ASCIIEllipsis
	}
	return Ellipsis
}

// ASCII returns s for a terminal that shows no more than ASCII: the signs of Cut, Visible and Unpad
// in it, which ken puts there itself, are ASCII ones of the same width. What others wrote stays as it
// is, an ellipsis that a letter or a word follows too; one that ends a line or stands before a mark
// cannot be told from that of Cut.
func ASCII(s string) string {
	if !strings.Contains(s, "‹") && !strings.Contains(s, Ellipsis) {
		return s
	}
	s = regexp.MustCompile(`‹(U\+[0-9A-F]{4,6}|[0-9]+ blanks)›`).ReplaceAllString(s, "<$1>")
	var b strings.Builder
	for {
		before, behind, ok := strings.Cut(s, Ellipsis)
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		sign := Ellipsis
		if endsCut(behind) {
			sign = ASCIIEllipsis
		}
		b.WriteString(sign)
		s = behind
	}
}

// endsCut reports whether what was cut can have ended before s.
func endsCut(s string) bool {
	if rest, ok := strings.CutPrefix(s, " "); ok {
		return rest == "" || rest[0] == ' ' || rest[0] == '(' || rest[0] == '\n' || rest[0] == '-'
	}
	r, _ := utf8.DecodeRuneInString(s)
	return !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '…'
}
