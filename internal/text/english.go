package text

import (
	_ "embed"
	"strings"
	"sync"
)

// What is known of English is data, as a library of languages has it; each file says
// where it comes from. Nothing is read before it is asked for.

//go:embed english/irregular.txt
var irregularText string

//go:embed english/stop.txt
var stopText string

// irregular are the dictionary forms of words whose forms no ending shows.
var irregular = sync.OnceValue(func() map[string]string {
	forms := make(map[string]string)
	for line := range dataLines(irregularText) {
		word, list, _ := strings.Cut(line, ":")
		for form := range strings.FieldsSeq(list) {
			forms[form] = word
		}
	}
	return forms
})

// stops are the words of which IsStop speaks.
var stops = sync.OnceValue(func() map[string]bool {
	words := make(map[string]bool)
	for line := range dataLines(stopText) {
		for word := range strings.FieldsSeq(line) {
			words[word] = true
		}
	}
	return words
})

// dataLines are the lines of a file of data, without blank ones and comments.
func dataLines(s string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for line := range strings.Lines(s) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' && !yield(line) {
				return
			}
		}
	}
}

// regular is the dictionary form of a word whose forms no ending shows: the verbs
// and nouns of English that are irregular and common. Any other word is its own.
func regular(w string) string {
	if r, ok := irregular()[w]; ok {
		return r
	}
	return w
}

// IsStop reports whether a word, as FoldWord gives it, carries no meaning by itself: it
// says how other words hang together, or that something is asked.
func IsStop(w string) bool { return stops()[w] }
