package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// maxKnown is how many different parts of one text are folded once only: a language
// has few letters beyond ASCII, and they come again.
const maxKnown = 1 << 10

// Normal returns a text as it is compared: composed alike, without case and invisible
// characters, with single blanks and none at the ends.
func Normal(s string) string {
	out := make([]byte, 0, len(s))
	blank := false // a blank is due before the next character
	known := make(map[string]string)
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf && (i+1 == len(s) || s[i+1] < utf8.RuneSelf) {
			out, blank = appendASCII(out, c, blank)
			i++
			continue
		}
		// What is not ASCII may change the letter before it, and nothing else.
		end := i + 1
		for end < len(s) && s[end] >= utf8.RuneSelf {
			end++
		}
		part, ok := known[s[i:end]]
		if !ok {
			part = fold(s[i:end])
			if len(known) < maxKnown {
				known[s[i:end]] = part
			}
		}
		for _, r := range part {
			switch {
			case unicode.IsSpace(r):
				blank = len(out) > 0
			case r < utf8.RuneSelf:
				out, blank = appendASCII(out, byte(r), blank)
			default:
				if blank {
					out, blank = append(out, ' '), false
				}
				out = utf8.AppendRune(out, r)
			}
		}
		i = end
	}
	return string(out)
}

// appendASCII appends a character in small form, after the blank that is due.
func appendASCII(out []byte, c byte, blank bool) ([]byte, bool) {
	switch {
	case c == ' ' || c >= '\t' && c <= '\r':
		return out, len(out) > 0
	case c >= 'A' && c <= 'Z':
		c += 'a' - 'A'
	}
	if blank {
		out = append(out, ' ')
	}
	return append(out, c), false
}

// fold gives one spelling to a part of a text that is not all ASCII. What folding
// makes may be composed anew, so it is done until nothing changes, which in real
// texts is at once.
func fold(s string) string {
	const most = 4
	for range most {
		was := s
		s = norm.NFKC.String(strings.Map(Visible, s))
		s = norm.NFKC.String(strings.Map(Visible, cases.Fold().String(s)))
		if s == was {
			break
		}
	}
	return s
}

// Visible is r, or -1 if r shows nothing by itself, for strings.Map: soft hyphens,
// joiners, marks of direction, selectors of variants.
func Visible(r rune) rune {
	if r >= utf8.RuneSelf && (unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r)) {
		return -1
	}
	return r
}
