package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"

	"ken/internal/index"
	"ken/internal/text"
)

// What a word calls up is scored by what WordNet says of the two, each relation by:
const (
	same     = 1.0 // they have a meaning in common
	derived  = 1.0 // one is made of the other: "hiker" of "hike"
	kindOf   = 0.7 // the other is a kind of it: tea of drink
	deeper   = 0.7 // and for each step further down, as much of that
	deepest  = 3   // so many steps
	alike    = 0.5 // adjectives like it, verbs of its group, what follows from it
	wider    = 0.2 // the other is what it is a kind of
	leastFor = 0.1
)

// times the share of its uses in which each of the two words has that meaning. To the
// counted ones, meaning by meaning, come:
const (
	never      = 0.2 // for none may have been counted
	givenFirst = 1.0 // for the one that is given first
	leastShare = 0.1 // a rarer meaning of the word that calls up does not count
)

const (
	// known is how often a word must stand in the explanations of WordNet and in the
	// counted texts, that it is taken up at all: people say it.
	known = 30
	// most is how many words one calls up.
	most = 8
	// The words that are counted most often say little, and are not called up: as many of
	// them say three tenths; up to so many, five.
	sayThree, sayFive = 20, 60
	// alsoWord is how often a name must have been counted as a word, that it is taken for one;
	// shortest how many letters the beginning of a name has that is short for it.
	alsoWord, shortest = 5, 3
)

// A list is what the lexicon is made of, by stems.
type list struct {
	*net
	stems map[string]string // by word
	known map[string]int    // how often a stem stands anywhere
	count map[string]int    // how often it was counted
	says  map[string]int    // tenths
	score map[string]map[string]float64
	short map[string][]string // names
}

// newList counts how often words stand in the net.
func newList(n *net) *list {
	l := &list{
		net: n, stems: make(map[string]string), known: make(map[string]int), says: make(map[string]int),
		count: make(map[string]int), score: make(map[string]map[string]float64), short: make(map[string][]string),
	}
	for word, list := range n.uses {
		for _, u := range list {
			if s := l.stem(word); s != "" {
				l.count[s] += u.count
			}
		}
	}
	for _, s := range n.sets {
		seen := make(map[string]bool) // once in each explanation
		for _, word := range append(s.glossed(), s.words...) {
			if stem := l.stem(word); stem != "" && !seen[stem] {
				seen[stem] = true
				l.known[stem]++
			}
		}
	}
	for stem, n := range l.count {
		l.known[stem] += n
	}
	often := slices.SortedFunc(maps.Keys(l.count), func(a, b string) int {
		return cmp.Or(cmp.Compare(l.count[b], l.count[a]), cmp.Compare(a, b))
	})
	for i, stem := range often[:min(sayFive, len(often))] {
		l.says[stem] = 5
		if i < sayThree {
			l.says[stem] = 3
		}
	}
	return l
}

// glossed are the words of the explanation, of three letters or more.
func (s *set) glossed() []string {
	words := strings.FieldsFunc(strings.ToLower(s.gloss), func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) })
	return slices.DeleteFunc(words, func(w string) bool { return len(w) < 3 })
}

// stem is that of a word as ken's index has it; "" if it carries no meaning, or is no single word of
// the letters a to z.
func (l *list) stem(word string) string {
	s, ok := l.stems[word]
	if !ok {
		letters := !strings.ContainsFunc(word, func(r rune) bool { return r < 'a' || r > 'z' })
		if t := index.Terms(word); letters && len(t) == 2 && t[1].Form == index.Stem && !text.IsStop(t[0].Text) {
			s = t[1].Text
		}
		l.stems[word] = s
	}
	return s
}

// share is in how many of its uses a word has that meaning.
func (l *list) share(word, meaning string) float64 {
	all, of := 0.0, 0.0
	for _, u := range l.uses[word] {
		n := never + float64(u.count)
		if u.first {
			n += givenFirst
		}
		all += n
		if u.set == meaning {
			of = n
		}
	}
	if all == 0 {
		return 0
	}
	return of / all
}

// words scores what each word calls up.
func (l *list) words() {
	for _, word := range slices.Sorted(maps.Keys(l.uses)) {
		if stem := l.stem(word); stem == "" || l.known[stem] < known {
			continue
		}
		for _, u := range l.uses[word] {
			if share := l.share(word, u.set); share >= leastShare {
				l.meaning(word, u.set, share)
			}
		}
	}
}

// meaning scores what a word calls up with one meaning, which it has in that share of its uses.
func (l *list) meaning(word, meaning string, share float64) {
	l.put(word, meaning, same*share)
	l.kinds(word, meaning, kindOf*share, 1)
	for _, to := range l.sets[meaning].links {
		switch to.sort {
		case "@": // a kind of
			l.put(word, to.set, wider*share)
		case "&", "$", "^", "\\", "*", ">": // like, of the group, see also, of, entails, causes
			l.put(word, to.set, alike*share)
		case "+": // made of
			if from := l.sets[meaning].words; to.from > 0 && to.from <= len(from) && from[to.from-1] == word {
				l.put(word, to.set, derived*share)
				if other := l.sets[to.set]; other != nil && to.to > 0 && to.to <= len(other.words) {
					l.add(word, other.words[to.to-1], derived*share)
				}
			}
		}
	}
}

// kinds scores the kinds of a meaning.
func (l *list) kinds(word, meaning string, score float64, step int) {
	for _, to := range l.sets[meaning].links {
		if to.sort != "~" && to.sort != "~i" {
			continue
		}
		l.put(word, to.set, score)
		if step < deepest {
			l.kinds(word, to.set, score*deeper, step+1)
		}
	}
}

// put scores the words of a meaning.
func (l *list) put(word, meaning string, score float64) {
	if s := l.sets[meaning]; s != nil {
		for _, other := range s.words {
			l.add(word, other, score*l.share(other, meaning))
		}
	}
}

func (l *list) add(word, other string, score float64) {
	from, to := l.stem(word), l.stem(other)
	if to == "" || from == to || l.known[to] < known {
		return
	}
	if l.score[from] == nil {
		l.score[from] = make(map[string]float64)
	}
	l.score[from][to] += score
}

// names adds names and their short forms, which call up each other, from lines like
// "michael,has_nickname,mike". What is short for one name is so for each that begins with it. Left
// out is what is a word besides: who asks for art does not mean Arthur.
func (l *list) names(lines string) {
	isWord := func(name string) bool { return l.count[l.stem(name)] >= alsoWord }
	full, short := make(map[string]bool), make(map[string]bool)
	var pairs [][2]string
	for line := range strings.Lines(lines) {
		f := strings.Split(strings.TrimSpace(line), ",")
		if len(f) != 3 || f[1] != "has_nickname" || isWord(f[0]) || isWord(f[2]) {
			continue
		}
		full[f[0]], short[f[2]] = true, true
		pairs = append(pairs, [2]string{f[0], f[2]})
	}
	for _, name := range slices.Sorted(maps.Keys(full)) {
		for n := shortest; n < len(name); n++ {
			if short[name[:n]] {
				pairs = append(pairs, [2]string{name, name[:n]})
			}
		}
	}
	for _, pair := range pairs {
		l.pair(l.stem(pair[0]), l.stem(pair[1]))
	}
}

// pair makes two names call up each other.
func (l *list) pair(a, b string) {
	if a == "" || b == "" || a == b || slices.Contains(l.short[a], b) {
		return
	}
	l.short[a], l.short[b] = append(l.short[a], b), append(l.short[b], a)
}

// write writes the lines, sorted: a stem, what it says, in tenths, and what it calls up,
// the closer ones first.
func (l *list) write(w io.Writer) {
	heads := maps.Clone(l.says)
	for _, list := range []map[string]int{keys(l.score), keys(l.short)} {
		for stem := range list {
			if heads[stem] == 0 {
				heads[stem] = 10
			}
		}
	}
	for _, head := range slices.Sorted(maps.Keys(heads)) {
		called := l.called(head)
		if len(called) > 0 || heads[head] < 10 {
			fmt.Fprintln(w, strings.Join(append([]string{head, fmt.Sprint(heads[head])}, called...), " "))
		}
	}
}

func keys[T any](m map[string]T) map[string]int {
	k := make(map[string]int, len(m))
	for s := range m {
		k[s] = 0
	}
	return k
}

// called is what a stem calls up.
func (l *list) called(head string) []string {
	if l.says[head] == 3 {
		return nil
	}
	score := l.score[head]
	words := slices.DeleteFunc(slices.Sorted(maps.Keys(score)), func(s string) bool { return score[s] < leastFor || l.says[s] == 3 })
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(score[b], score[a]) })
	if len(l.short[head]) > 0 {
		words = l.short[head] // a name, and no word
	}
	return words[:min(most, len(words))]
}
