package lexicon

import (
	_ "embed"
	"strings"
)

// entries are made of words.txt, names.txt and common.txt by the test of this
// package with -update: sorted lines of a stem, what it says, in tenths, and the
// stems that go with it.
//
//go:embed stems.txt
var entries string

// Most is how many stems Related gives at most.
const Most = 24

// An Entry is what is known of a stem.
type Entry struct {
	// Says is how much its being there tells of what a text is about, above 0 and
	// at most 1: that of a word of no entry.
	Says    float64
	related string
}

// Of is the entry of a stem, as package index makes them.
func Of(stem string) Entry {
	line, ok := find(stem)
	if !ok {
		return Entry{Says: 1}
	}
	says, related, _ := strings.Cut(line, " ")
	if says == "10" {
		return Entry{1, related}
	}
	return Entry{float64(says[0]-'0') / 10, related}
}

// Related are the stems that may stand for the same thing, or for one of that
// kind; the closer ones first, at most Most of them.
func (e Entry) Related() []string { return strings.Fields(e.related) }

// find is the rest of the line that begins with that word.
func find(word string) (string, bool) {
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
