package extract

import (
	"maps"

	"ken/internal/memory"
	"ken/internal/text"
)

// Join returns where a text comes from that was made of the passages, and which turn of
// the person it rests on; 0 if it rests on none.
//
// It rests on a turn if every word of it that carries meaning stands there, with the
// same denials, and no text of others has most of them, but for answers that only
// repeat it. Then its origin is model.
// Otherwise any of the passages can have fed it, and it is the least trusted.
func Join(text string, list []Passage) (o memory.Origin, turn int) {
	words, denied := meaning(text)
	o = memory.OriginModel
	for _, p := range list {
		o = o.Lowest(p.Origin)
	}
	if len(words) == 0 {
		return o, 0
	}
	for _, p := range list {
		if p.Typed() && supports(p, words, denied) && !fed(p.N, words, list) {
			turn = p.N
		}
	}
	if turn > 0 {
		o = memory.OriginModel
	}
	return o, turn
}

// fed reports whether a text of others may have fed what a turn says. An answer behind
// the turn repeats it, and gives nothing to it.
func fed(turn int, words map[string]bool, list []Passage) bool {
	for _, p := range list {
		echo := p.Answer && !p.Hidden && p.N > turn
		if !echo && p.Origin.Rank() > memory.OriginModel.Rank() && share(p.Text, words) >= sharedByOthers {
			return true
		}
	}
	return false
}

// sharedByOthers is the share of the words of a candidate that a text of others has
// at least to count as where it comes from.
const sharedByOthers = 0.75

// meaning are the words of a text that carry meaning, and how often it denies.
func meaning(s string) (words map[string]bool, denied int) {
	words = make(map[string]bool)
	for _, w := range text.WordsInOrder(s) {
		switch {
		case statements().denials[w]:
			denied++
		case !statements().frames[w]:
			words[text.Stem(w)] = true
		}
	}
	return words, denied
}

// supports reports whether a passage says all of the words, and denies what they deny: the
// sentences that have them are denied as often.
func supports(p Passage, words map[string]bool, denied int) bool {
	rest := maps.Clone(words)
	there := 0
	for sentence := range sentences(p.Text) {
		has, no := meaning(sentence)
		used := false
		for w := range has {
			if words[w] {
				used = true
				delete(rest, w)
			}
		}
		if used {
			there += no
		}
	}
	return len(rest) == 0 && there == denied
}

// share is how much of the words stand in a text, from 0 to 1.
func share(text string, words map[string]bool) float64 {
	has, _ := meaning(text)
	n := 0
	for w := range words {
		if has[w] {
			n++
		}
	}
	return float64(n) / float64(len(words))
}

// sentences yields the parts of a text between full stops, marks and line ends.
func sentences(s string) func(func(string) bool) {
	return func(yield func(string) bool) {
		from := 0
		for i := range len(s) {
			end := s[i] == '\n' || s[i] == ';'
			if s[i] == '.' || s[i] == '!' || s[i] == '?' {
				end = i+1 == len(s) || s[i+1] == ' ' || s[i+1] == '\n'
			}
			if end {
				if !yield(s[from : i+1]) {
					return
				}
				from = i + 1
			}
		}
		if from < len(s) {
			yield(s[from:])
		}
	}
}
