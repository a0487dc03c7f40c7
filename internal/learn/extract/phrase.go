package extract

import "strings"

// A phrase is a row of words to look for. Scripts that are written without blanks have no
// words here: their phrases are looked for in text.Fold of the text.
type phrase []element

// An element stands for one word, or for a gap.
type element struct {
	words    []string // one of them
	prefixes []string // or a word that begins so
	gap      int      // at most so many words
	anchor   bool     // the beginning of the text
}

// mostGap is how many words ".." stands for at most.
const mostGap = 6

// readPhrases reads phrases as tables write them: blanks between words, "a|b" for
// either, "send*" for a word that begins so, ".." for up to mostGap words, and "^" for
// the beginning of the text.
func readPhrases(lines ...string) []phrase {
	list := make([]phrase, 0, len(lines))
	for _, line := range lines {
		var p phrase
		for _, f := range strings.Fields(line) {
			switch f {
			case "..":
				p = append(p, element{gap: mostGap})
				continue
			case "^":
				p = append(p, element{anchor: true})
				continue
			}
			var e element
			for _, w := range strings.Split(f, "|") {
				if short, ok := strings.CutSuffix(w, "*"); ok {
					e.prefixes = append(e.prefixes, short)
				} else {
					e.words = append(e.words, w)
				}
			}
			p = append(p, e)
		}
		list = append(list, p)
	}
	return list
}

func (e element) is(word string) bool {
	for _, w := range e.words {
		if w == word {
			return true
		}
	}
	for _, w := range e.prefixes {
		if strings.HasPrefix(word, w) {
			return true
		}
	}
	return false
}

// end finds the phrase in words, and gives how many words there are up to its end;
// 0 if it is not there.
func (p phrase) end(words []string) int {
	for i := range words {
		if n := p.at(words, i); n > 0 {
			return n
		}
		if len(p) > 0 && p[0].anchor {
			return 0
		}
	}
	return 0
}

// at matches the phrase at word i, and gives where it ends; 0: it does not.
func (p phrase) at(words []string, i int) int {
	for k, e := range p {
		switch {
		case e.anchor:
			if i != 0 {
				return 0
			}
		case e.gap > 0:
			for skip := 0; skip <= e.gap && i+skip <= len(words); skip++ {
				if n := p[k+1:].at(words, i+skip); n > 0 {
					return n
				}
			}
			return 0
		case i >= len(words) || !e.is(words[i]):
			return 0
		default:
			i++
		}
	}
	return i
}

// gaps reports whether the phrase has a gap.
func (p phrase) gaps() bool {
	for _, e := range p {
		if e.gap > 0 {
			return true
		}
	}
	return false
}

// anyPhrase reports whether one of the phrases is in words.
func anyPhrase(list []phrase, words []string) bool {
	for _, p := range list {
		if p.end(words) > 0 {
			return true
		}
	}
	return false
}
