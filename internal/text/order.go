package text

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Fold returns a text without case, accents and compatibility forms, with plain
// apostrophes and its blanks as they are: what tables of words and phrases are
// compared with.
func Fold(s string) string {
	if ASCII(s) {
		return strings.ToLower(s)
	}
	s = norm.NFKD.String(s)
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Mn, r):
			return -1
		case r == '’' || r == 'ʼ' || r == '`' || r == '´':
			return '\''
		case r == 'ß':
			return 's'
		case r == 'ø':
			return 'o'
		case r == 'ł':
			return 'l'
		}
		return unicode.ToLower(r)
	}, s)
}

// WordsInOrder returns the words of a text in their order, folded: runs of letters and
// digits, with the apostrophes in them left out ("don't" is dont), as tables of
// phrases write them.
func WordsInOrder(s string) []string { return inOrder(s, false) }

// Spoken is WordsInOrder with the apostrophes inside of words, where it matters
// whether somebody says "its" or "it's".
func Spoken(s string) []string { return inOrder(s, true) }

func inOrder(s string, apostrophes bool) []string {
	var list []string
	var b strings.Builder
	due := false // an apostrophe, if a letter follows
	end := func() {
		if b.Len() > 0 {
			list = append(list, b.String())
			b.Reset()
		}
		due = false
	}
	for _, r := range Fold(s) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if due {
				b.WriteByte('\'')
			}
			due = false
			b.WriteRune(r)
		case r == '\'' && b.Len() > 0: // it joins, or it is a quote at an end
			due = apostrophes
		default:
			end()
		}
	}
	end()
	return list
}
