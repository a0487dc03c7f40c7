package expect

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"ken/internal/redact/look"
)

// table is every word that this package knows, with its kind and language: see its head.
//
//go:embed words.txt
var table string

// maxLexeme is more bytes than a word of the table has.
const maxLexeme = 96

// A lexicon is the table: the words of each kind, in lower case.
type lexicon struct {
	bits  map[string]uint64   // by kind: its bit
	kinds map[string]uint64   // by word: the bits of its kinds
	lists map[string][]string // by kind
}

// words is the table, read at the first use.
var words = sync.OnceValue(makeWords)

// makeWords reads the table. Every process that masks pays for it, so that it makes one
// map of a size that is known, and none that grows.
func makeWords() lexicon {
	x := lexicon{map[string]uint64{}, make(map[string]uint64, strings.Count(table, "\n")), map[string][]string{}}
	for line := range strings.Lines(table) {
		kind, rest, _ := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		_, word, ok := strings.Cut(rest, " ")
		if !ok || kind[0] == '#' {
			continue
		}
		bit, known := x.bits[kind]
		if !known {
			bit = 1 << len(x.bits) // there are fewer than 64 kinds: see TestWords
			x.bits[kind] = bit
		}
		if of := x.kinds[word]; of&bit == 0 { // the table is in lower case: see TestWords
			x.kinds[word] = of | bit
			x.lists[kind] = append(x.lists[kind], word)
		}
	}
	return x
}

// is reports whether word, in any case, is one of that kind.
func (x lexicon) is(kind, word string) bool {
	return word != "" && len(word) <= maxLexeme && x.kinds[strings.ToLower(word)]&x.bits[kind] != 0
}

// anchors are the words of those kinds as anchors: in all three cases, if they are not of
// ASCII, since anchors are found in any case of ASCII only.
func (x lexicon) anchors(kinds ...string) []string {
	most := 0
	for _, kind := range kinds {
		most += len(x.lists[kind]) * 2
	}
	all, seen := make([]string, 0, most), make(map[string]bool, most)
	add := func(a string) {
		if a = lowerASCII(a); len(a) >= 3 && !seen[a] {
			seen[a] = true
			all = append(all, a)
		}
	}
	for _, kind := range kinds {
		for _, w := range x.lists[kind] {
			if len(w) == 2 {
				for _, tail := range []string{" ", ":", "?", "=", "\n", ",", "\"", "'"} {
					add(w + tail)
				}
				continue
			}
			add(w)
			if isASCII(w) {
				continue
			}
			upper := strings.ToUpper(w)
			if lowerASCII(upper) == w {
				continue // of a script without cases
			}
			c, n := utf8.DecodeRuneInString(w)
			add(string(unicode.ToUpper(c)) + w[n:])
			add(upper)
		}
	}
	return all
}

// calls are the parts of names of calls, as anchors that end with the bracket.
func (x lexicon) calls() []string {
	var all []string
	for _, kind := range []string{"call", "single"} {
		for _, w := range x.lists[kind] {
			all = append(all, w+"(", w+"::new(", w+".new(", w+"::from(")
		}
	}
	return append(all, ".open \"", "putenv(")
}

// isASCII reports whether all of s is.
func isASCII(s string) bool {
	return look.RunOf(s, 0, func(c byte) bool { return c < utf8.RuneSelf }) == len(s)
}

// lowerASCII is s with its letters of ASCII in lower case, as anchors have them.
func lowerASCII(s string) string {
	if look.RunOf(s, 0, func(c byte) bool { return !look.IsUpper(c) }) == len(s) {
		return s
	}
	b := []byte(s)
	for i, c := range b {
		if look.IsUpper(c) {
			b[i] = c | 0x20
		}
	}
	return string(b)
}
