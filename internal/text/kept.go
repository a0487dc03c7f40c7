package text

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// What stands in this file is in files of people: hashes, sketches and indexes are
// made of it. Another form would find none of what was written before, so each
// stays byte for byte what it is, also where Normal and Words know better.

// Composed is s composed alike (NFC) and with single blanks, and nothing else: two
// texts with one Composed look the same.
func Composed(s string) string {
	if !ASCII(s) {
		s = norm.NFC.String(s)
	}
	return strings.Join(strings.Fields(s), " ")
}

// NormalForHash returns the form of which the hash of a proposal is made, and the sketch
// of a memory: without case and compatibility forms, with single blanks. Unlike
// Normal it keeps what is invisible, and folds once.
func NormalForHash(s string) string {
	if ASCII(s) { // the same, and many times as fast
		return strings.Join(strings.Fields(strings.ToLower(s)), " ")
	}
	return strings.Join(strings.Fields(cases.Fold().String(norm.NFKC.String(s))), " ")
}

// WordsForSketch returns the different words of a text in NormalForHash, sorted, of
// which the sketch beside a log is made. Unlike Words it takes symbols for letters,
// and a run of an Unspaced script by its pairs of neighbouring characters.
func WordsForSketch(normal string) []string {
	var words []string
	for _, run := range strings.FieldsFunc(normal, func(r rune) bool { return !unicode.In(r, unicode.L, unicode.N, unicode.M, unicode.S) }) {
		if ASCII(run) || !strings.ContainsFunc(run, Unspaced) {
			words = append(words, run)
			continue
		}
		chars := []rune(run)
		for i := range chars {
			words = append(words, string(chars[i:min(i+2, len(chars))]))
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}
