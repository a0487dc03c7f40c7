package text

import (
	"fmt"
	"unicode/utf8"
)

// CutBytes returns s if it has at most most bytes, and else as much of its beginning as does, cut between two characters. For
// the cells of a terminal there is termsafe.Cut, for what a model counts tokens.Cut.
func CutBytes(s string, most int) string {
	if len(s) <= most {
		return s
	}
	most = max(most, 0)
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}

// LastBytes returns s if it has at most most bytes, and else as much of its end as does, cut between two characters.
func LastBytes(s string, most int) string {
	from := max(len(s)-max(most, 0), 0)
	for from > 0 && from < len(s) && !utf8.RuneStart(s[from]) {
		from++
	}
	return s[from:]
}

// CutRunes returns s if it has at most most characters (code points), and else its first most of them.
func CutRunes(s string, most int) string {
	if len(s) <= most {
		return s
	}
	n := 0
	for i := range s {
		if n >= most {
			return s[:i]
		}
		n++
	}
	return s
}

// Count is "1 item", "2 items". noun is one whose plural takes an s.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
