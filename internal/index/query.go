package index

import (
	"slices"
	"unicode/utf8"
)

// MaxTerms is how many terms of a query count. A question has a dozen; a page
// that was pasted must not cost more than the documents do.
const MaxTerms = 256

// Terms are what a query asks for, each once, in the order of the text, at most
// MaxTerms of them. Words that carry no meaning are left out, unless there are no
// others; and so are characters that are part of a pair.
func Terms(query string) []Term {
	var all, meant []Term
	seen := make(map[Term]bool)
	stops := make(map[Term]bool) // words without meaning, and their stems
	paired := make(map[rune]bool)
	chunks(query, func(chunk string) {
		for _, t := range terms(chunk) {
			if !seen[t] {
				seen[t] = true
				all = append(all, t)
			}
			if t.Form != Word {
				continue
			}
			if isStop(t.Text) {
				stops[t], stops[Term{Stem, stemOf(t.Text)}] = true, true
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

// Inner are terms that every text has that has this one in it: those of all but its
// first and its last word, which may be parts of longer ones there; if there are none,
// pairs of characters. None says that the words do not tell.
func Inner(text string) []Term {
	var all []string
	chunks(text, func(chunk string) { all = append(all, chunk) })
	var list []Term
	for i := 1; i < len(all)-1; i++ {
		list = append(list, terms(all[i])...)
	}
	if len(list) > 0 {
		return list
	}
	for _, chunk := range all {
		for _, part := range split(chunk) {
			if first, _ := utf8.DecodeRuneInString(part); dense(first) {
				list = appendPairs(list, part)
			}
		}
	}
	return slices.DeleteFunc(list, func(t Term) bool { return t.Form != Word })
}
