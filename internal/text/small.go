package text

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
)

//go:embed small.txt
var smallText string

// small are the words of which Small speaks, of all languages.
var small = sync.OnceValue(func() map[string]bool {
	words := make(map[string]bool)
	for line := range dataLines(smallText) {
		if line[0] == '[' { // the name of a language: people mix them, so all are one set
			continue
		}
		for word := range strings.FieldsSeq(line) {
			words[FoldWord(word)] = true
		}
	}
	return words
})

// Small reports whether a word, as FoldWord gives it, says nothing of what a wish is about, in any of the
// languages that ken is taught in: IsStop, what is polite, and what people put there when they ask the same once more
// (another, again, new). Hiragana are: they carry the grammar of Japanese.
func Small(w string) bool {
	if IsStop(w) || small()[w] {
		return true
	}
	for _, r := range w {
		if !unicode.Is(unicode.Hiragana, r) {
			return false
		}
	}
	return true
}

// Core returns the different words of a text that say what it is about, sorted: its Words as FoldWord and Stem have
// them, without those that are Small and without numbers.
func Core(s string) []string {
	var core []string
	for _, w := range Words(s) {
		if w = FoldWord(w); Small(w) || strings.IndexFunc(w, unicode.IsLetter) < 0 {
			continue
		}
		if w = Stem(w); !Small(w) {
			core = append(core, w)
		}
	}
	slices.Sort(core)
	return slices.Compact(core)
}
