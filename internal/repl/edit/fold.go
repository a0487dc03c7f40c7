package edit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"ken/internal/termsafe"
)

// What is longer is folded: shown by a few words that stand for it. The library
// draws the whole line anew at every key, and no screen has room for more.
const (
	foldLines = 10
	foldBytes = 2000
)

// A folder keeps the texts that stand in a line by a few words.
type folder struct {
	words, texts []string // words[i] stands for texts[i]
}

// clean is a text as it may be edited: line ends are \n, nothing hides in it, and
// none is left at the end.
func clean(text string) string {
	return strings.TrimRight(termsafe.Clean(text), "\n")
}

// isLong reports whether a text is folded.
func isLong(text string) bool {
	return len(text) > foldBytes || strings.Count(text, "\n") >= foldLines
}

// fold is text, or the words that stand for it if it is long.
func (f *folder) fold(verb, text string) string {
	if !isLong(text) {
		return text
	}
	if i := slices.Index(f.texts, text); i >= 0 {
		return f.words[i]
	}
	words := fmt.Sprintf("[%s #%d: %s]", verb, len(f.words)+1, extent(text))
	f.words, f.texts = append(f.words, words), append(f.texts, text)
	return words
}

// foldEntry is a line of the history with what follows its beginning folded, if
// it is long.
func (f *folder) foldEntry(text string) string {
	if !isLong(text) {
		return text
	}
	first, _, _ := strings.Cut(text, "\n")
	if len(first) > foldBytes/10 {
		n := foldBytes / 10
		for !utf8.RuneStart(first[n]) {
			n--
		}
		first = first[:n]
	}
	return first + f.fold("and", text[len(first):])
}

// unfold puts the texts back where their words stand.
func (f *folder) unfold(line string) string {
	if len(f.words) == 0 || !strings.Contains(line, "]") {
		return line
	}
	pairs := make([]string, 0, 2*len(f.words))
	for i, w := range f.words {
		pairs = append(pairs, w, f.texts[i])
	}
	return strings.NewReplacer(pairs...).Replace(line)
}

// extent says how much a text is.
func extent(text string) string {
	n := strings.Count(text, "\n") + 1
	if n < foldLines {
		return thousands(utf8.RuneCountInString(text)) + " characters"
	}
	return thousands(n) + " lines"
}

// thousands writes a number with commas.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
