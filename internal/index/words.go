package index

import (
	"strings"
	"unicode/utf8"

	"ken/internal/text"
)

// A Form says how a Term stands for a word.
type Form uint8

// The forms.
const (
	Word   Form = iota // as it is written
	Stem               // without its ending
	Single             // one character of a script without spaces

	forms // how many there are
)

// A Term is what is counted and compared.
type Term struct {
	Form Form
	Text string // in one spelling, at most 128 bytes
}

// terms are what a chunk is found by.
func terms(chunk string) []Term {
	var list []Term
	parts := 0
	for _, part := range text.Parts(chunk) {
		parts++
		if first, _ := utf8.DecodeRuneInString(part); text.Dense(first) {
			list = appendPairs(list, part)
			continue
		}
		list = appendWord(list, text.FoldWord(part))
	}
	// What has several parts counts whole as well; but a sentence without spaces
	// is no name.
	if whole := text.FoldWord(chunk); whole != "" && !strings.ContainsFunc(chunk, text.Dense) {
		switch {
		case strings.ContainsFunc(whole, func(r rune) bool { return strings.ContainsRune(text.Connectors, r) }):
			list = append(list, Term{Word, whole})
		case parts > 1:
			list = appendWord(list, whole)
		}
	}
	return list
}

// appendWord appends a word and its stem.
func appendWord(list []Term, w string) []Term {
	if w == "" {
		return list
	}
	return append(list, Term{Word, w}, Term{Stem, text.Stem(w)})
}

// appendPairs appends the pairs of neighbouring characters of a run, and each
// character alone.
func appendPairs(list []Term, run string) []Term {
	chars := []rune(text.FoldLetters(run))
	for i := range chars {
		list = append(list, Term{Single, string(chars[i])})
		if i > 0 {
			pair := string(chars[i-1 : i+1])
			list = append(list, Term{Word, pair}, Term{Stem, pair})
		}
	}
	return list
}
