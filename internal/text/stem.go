package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"golang.org/x/text/unicode/norm"
)

// FoldWord returns one spelling of a word of a search: its FoldLetters, without possessive
// s, at most MaxWord bytes.
func FoldWord(s string) string {
	s = strings.Trim(strings.TrimSuffix(FoldLetters(s), "'s"), "'")
	if len(s) > MaxWord {
		n := MaxWord
		for !utf8.RuneStart(s[n]) {
			n--
		}
		s = s[:n]
	}
	return s
}

// FoldLetters gives one spelling to what are the same letters: small, and
// without accents if they are Latin or Greek.
func FoldLetters(s string) string {
	if ASCII(s) {
		return strings.ToLower(s)
	}
	return foldUnicode(s)
}

func foldUnicode(s string) string {
	var b strings.Builder
	bare := false // the letter before loses its accents
	for _, r := range norm.NFKD.String(s) {
		switch {
		case unicode.Is(unicode.Mn, r):
			if bare {
				continue
			}
		case apostrophe(r):
			r = '\''
		default:
			bare = unicode.In(r, unicode.Latin, unicode.Greek)
		}
		switch r = unicode.ToLower(r); r {
		case 'ß':
			b.WriteString("ss")
		case 'ς':
			b.WriteRune('σ')
		case 'ı':
			b.WriteRune('i')
		default:
			b.WriteRune(r)
		}
	}
	return norm.NFC.String(b.String())
}

// letters are those of English words.
const letters = "abcdefghijklmnopqrstuvwxyz'"

// Stem returns the stem of a folded word, or of the form that a dictionary has of an
// irregular one: "went" finds "go". What is not written in the letters of
// English is its own stem.
func Stem(w string) string {
	if strings.Trim(w, letters) != "" {
		return w
	}
	env := snowballstem.NewEnv(regular(w))
	english.Stem(env)
	return env.Current()
}
