package lex

import "strings"

// A Phrase is a row of words to look for.
type Phrase []element

// An element stands for one word, or for a gap.
type element struct {
	words    []string // one of them
	prefixes []string // or a word that begins so
	gap      int      // at most so many words
	anchor   bool     // the beginning of the text
}

// Gap is how many words ".." stands for at most.
const Gap = 6

// Phrases reads phrases as tables write them: blanks between words, "a|b" for
// either, "send*" for a word that begins so, ".." for up to Gap words, and "^" for
// the beginning of the text.
func Phrases(lines ...string) []Phrase {
	list := make([]Phrase, 0, len(lines))
	for _, line := range lines {
		var p Phrase
		for _, f := range strings.Fields(line) {
			switch f {
			case "..":
				p = append(p, element{gap: Gap})
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

// End finds the phrase in words, and gives how many words there are up to its end;
// 0 if it is not there.
func (p Phrase) End(words []string) int {
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
func (p Phrase) at(words []string, i int) int {
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

// Gaps reports whether the phrase has a gap.
func (p Phrase) Gaps() bool {
	for _, e := range p {
		if e.gap > 0 {
			return true
		}
	}
	return false
}

// Any reports whether one of the phrases is in words.
func Any(list []Phrase, words []string) bool {
	for _, p := range list {
		if p.End(words) > 0 {
			return true
		}
	}
	return false
}
