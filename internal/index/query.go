package index

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ken/internal/text"
)

// MaxTerms is how many terms of a query count. A question has a dozen; a page
// that was pasted must not cost more than the documents do.
const MaxTerms = 256

// Terms returns what a query asks for, each once, in the order of the text, at most
// MaxTerms of them. Words that carry no meaning are left out, unless there are no
// others; and so are characters that are part of a pair.
func Terms(query string) []Term {
	var all, meant []Term
	seen := make(map[Term]bool)
	stops := make(map[Term]bool) // words without meaning, and their stems
	paired := make(map[rune]bool)
	text.Chunks(query, func(chunk string) {
		for _, t := range terms(chunk) {
			if !seen[t] {
				seen[t] = true
				all = append(all, t)
			}
			if t.Form != Word {
				continue
			}
			if text.IsStop(t.Text) {
				stops[t], stops[Term{Stem, text.Stem(t.Text)}] = true, true
			}
			for _, r := range t.Text {
				paired[r] = true
			}
		}
	})
	all = slices.DeleteFunc(all, func(t Term) bool {
		r, _ := utf8.DecodeRuneInString(t.Text)
		return t.Form == Single && paired[r]
	})
	for _, t := range all {
		if !stops[t] {
			meant = append(meant, t)
		}
	}
	if len(meant) == 0 {
		meant = all
	}
	return meant[:min(len(meant), MaxTerms)]
}

// Identifiers returns the terms of a query that name one thing and are no words of a
// language: what has a digit behind a letter, a capital inside, or a mark in it but a
// hyphen; each once, in the order of the text.
func Identifiers(query string) []Term {
	var list []Term
	text.Chunks(query, func(chunk string) {
		t := Term{Word, text.FoldWord(chunk)}
		if t.Text != "" && isIdentifier(chunk) && !slices.Contains(list, t) {
			list = append(list, t)
		}
	})
	return list
}

func isIdentifier(chunk string) bool {
	digits, letter, lower := false, false, false // letter: before any digit
	for _, r := range chunk {
		switch {
		case text.Dense(r), text.Symbol(r):
			return false
		case unicode.IsNumber(r):
			digits = true
		case unicode.IsUpper(r) && lower:
			return true
		case unicode.IsLetter(r):
			letter = letter || !digits
			lower = unicode.IsLower(r)
		case r != '-' && strings.ContainsRune(text.Connectors, r):
			return true
		}
	}
	return letter && digits
}

// Inner are terms that every text has that has this one in it, whatever is written
// large there: its words but the first and the last, which may be parts of longer
// ones, and the pairs of scripts without spaces. There may be none.
func Inner(s string) []Term {
	var all []string
	text.Chunks(s, func(chunk string) { all = append(all, chunk) })
	var list []Term
	for i, chunk := range all {
		if !strings.ContainsFunc(chunk, text.Dense) {
			if whole := text.FoldWord(chunk); whole != "" && i > 0 && i < len(all)-1 && !strings.ContainsFunc(chunk, text.Symbol) {
				list = append(list, Term{Word, whole})
			}
			continue
		}
		for _, part := range text.Parts(chunk) {
			if first, _ := utf8.DecodeRuneInString(part); text.Dense(first) {
				list = append(list, slices.DeleteFunc(appendPairs(nil, part), func(t Term) bool { return t.Form != Word })...)
			}
		}
	}
	return list
}
