package risk

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A hiddenPart is a place in a line that does not look like what it is.
type hiddenPart struct {
	At, End int    // bytes of the line
	Why     string // in a few words
}

const (
	maxSpaces = 40 // more of them in a row push the rest off the screen
	maxLines  = 6  // so do empty lines
	maxHidden = 8  // places reported of one line
)

// hiddenParts returns the places of line that a reader would misread, in their order: at
// most eight. Newline and tab are no such places, nor are letters of any script by
// themselves; letters of two scripts in one word are.
func hiddenParts(line string) []hiddenPart {
	var out []hiddenPart
	spaces, lines := 0, 0
	word := lettersOf{}
	var before rune
	for at := 0; at < len(line) && len(out) < maxHidden; {
		if b := line[at]; b > ' ' && b < 0x7f && !word.other { // most of most lines
			spaces, lines = 0, 0
			word.mixes(rune(b))
			before = rune(b)
			at++
			continue
		}
		r, n := utf8.DecodeRuneInString(line[at:])
		why := hiding(r, n, before, line[at+n:])
		switch {
		case r == ' ' || r == '\t':
			if spaces++; spaces == maxSpaces {
				why = "padding that pushes the rest off the screen"
			}
		case r == '\n':
			spaces = 0
			if lines++; lines == maxLines {
				why = "padding that pushes the rest off the screen"
			}
		default:
			spaces, lines = 0, 0
		}
		if why == "" && word.mixes(r) {
			why = "a letter that looks like another"
		}
		switch {
		case why != "" && (spaces == maxSpaces || lines == maxLines) && (r == ' ' || r == '\t' || r == '\n'):
			// All of it, so that the report can say how much there is.
			begin := len(strings.TrimRight(line[:at], " \t\n"))
			out = append(out, hiddenPart{begin, len(line) - len(strings.TrimLeft(line[at:], " \t\n")), why})
		case why != "":
			out = append(out, hiddenPart{at, at + n, why})
		}
		before = r
		at += n
	}
	return out
}

// hiding says what is wrong with the rune r of n bytes by itself.
func hiding(r rune, n int, before rune, after string) string {
	switch {
	case r == utf8.RuneError && n == 1:
		return "a byte that is no text"
	case r == '\n' || r == '\t' || r >= ' ' && r < 0x7f:
		return ""
	case r < ' ' || r >= 0x7f && r < 0xa0:
		return "a control character"
	case r == 0x200d && pictures(before, after), r == 0xfe0f && before >= 0x2000:
		return ""
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200e, r == 0x200f, r == 0x61c:
		return "a character that reorders what is shown"
	case unicode.Is(unicode.Cf, r), r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0000 && r <= 0xe0fff,
		r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0, r == 0x34f, r == 0x17b4, r == 0x17b5, r == 0x2800:
		return "an invisible character"
	case unicode.Is(unicode.Zs, r), r == 0x2028, r == 0x2029:
		return "a space that is none to the shell"
	case r >= 0xff01 && r <= 0xff5e, r >= 0x1d400 && r <= 0x1d7ff, r == 0x2044, r == 0x2215, r == 0x29f8,
		r == 0x2010, r == 0x2011, r == 0x2212, r == 0x37e, r == 0x1c3, r == 0x2223:
		return "a character that looks like another"
	}
	return ""
}

// pictures reports whether a joiner stands between two pictures, as in a family.
func pictures(before rune, after string) bool {
	next, _ := utf8.DecodeRuneInString(after)
	return (before >= 0x2190 || before == 0xfe0f) && next >= 0x2190
}

// lettersOf are those of the word that is being read.
type lettersOf struct{ latin, other bool }

// mixes reports whether r is of another script than the word before it, where the two have letters
// that look alike.
func (s *lettersOf) mixes(r rune) bool {
	switch {
	case r < 0x80 && !asciiLetter(r):
		switch r {
		case '_', '-', '.', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '\'', '"', '\\':
		default:
			*s = lettersOf{}
		}
		return false
	case r < 0x80:
		mixed := s.other && !s.latin
		s.latin = true
		return mixed
	case r < 0x250 && unicode.IsLetter(r):
		mixed := s.other && !s.latin
		s.latin = true
		return mixed
	case unicode.In(r, unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Cherokee, unicode.Coptic, unicode.Lisu):
		mixed := s.latin && !s.other
		s.other = true
		return mixed
	}
	return false
}

func asciiLetter(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' }
