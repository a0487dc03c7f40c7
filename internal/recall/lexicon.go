package recall

import (
	_ "embed"
	"strings"

	"ken/internal/text"
)

// entries are what ken knows of English before it has read anything: which words go
// together ("job" and "career", "purchase" and "buy"), which names are short for others, and
// which words say little of what a text is about ("thing", "make").
//
// stems.txt is made of WordNet 3.0 and a list of short forms of names, by the rules of
// bench/lexicon (docs/decisions/0061), and never changed by hand:
//
//	make lexicon WORDNET=/usr/share/wordnet NAMES=names.csv
//
// Its lines are sorted: a stem, what it says, in tenths, and the stems that go with it.
// Nothing is read or built when a program starts: an entry is found by halving the text.
//
//go:embed lexicon/stems.txt
var entries string

// mostRelated is how many stems related gives at most.
const mostRelated = 24

// An entry is what is known of a stem.
type entry struct {
	// says is how much the stem tells of what a text is about: above 0, and 1 for a word that is
	// not in the list.
	says  float64
	stems string
}

// entryOf is the entry of a stem, as package index makes them.
func entryOf(stem string) entry {
	line, ok := findEntry(stem)
	if !ok {
		return entry{says: 1}
	}
	says, related, _ := strings.Cut(line, " ")
	if says == "10" {
		return entry{1, related}
	}
	return entry{float64(says[0]-'0') / 10, related}
}

// related are the stems that may stand for the same thing, or for one of that
// kind; the closer ones first, at most mostRelated of them.
func (e entry) related() []string { return strings.Fields(e.stems) }

// IsWord reports whether a folded word is a known word of the language.
func IsWord(word string) bool {
	_, ok := findEntry(text.Stem(word))
	return ok
}

// findEntry is the rest of the line that begins with that word.
func findEntry(word string) (string, bool) {
	from, to := 0, len(entries) // beginnings of lines
	for from < to {
		at := from + (to-from)/2
		at = strings.LastIndexByte(entries[:at], '\n') + 1 // not below from
		end := at + strings.IndexByte(entries[at:], '\n')
		head, rest, _ := strings.Cut(entries[at:end], " ")
		switch strings.Compare(word, head) {
		case 0:
			return rest, true
		case -1:
			to = at
		default:
			from = end + 1
		}
	}
	return "", false
}
