package text

import (
	"unicode"
	"unicode/utf8"
)

// ASCII reports whether all of s is ASCII. Such a text is composed as it can be, and
// most forms of it are made many times as fast.
func ASCII(s string) bool {
	for ; len(s) >= 8; s = s[8:] { // one load of eight bytes
		eight := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		if eight&0x8080808080808080 != 0 {
			return false
		}
	}
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// firstUnspaced is where the first of the scripts without blanks begins, Thai: what
// stands before it is known without a look into the tables.
const firstUnspaced = 0x0e00

// Unspaced reports whether r is of a script that sets no blanks between words.
func Unspaced(r rune) bool { return r >= firstUnspaced && unspaced(r) }

func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// Dense reports whether the words of r's script cannot be found by their blanks:
// those of an Unspaced one, and of Korean, whose particles stand at their word. The
// mark that makes a vowel of kana long is of none, and counts here.
func Dense(r rune) bool { return r >= firstUnspaced && dense(r) }

func dense(r rune) bool { return r == 'ー' || unicode.Is(unicode.Hangul, r) || unspaced(r) }
