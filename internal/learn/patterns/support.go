package patterns

import (
	"slices"
)

// mostVariants is how many sentences a list of members may stand for.
const mostVariants = 8

// A reading is a memory, or a part of it, as a draft is compared with it.
type reading struct {
	all   []word
	words []word // those that carry meaning
	stems map[string]bool
	parts []reading // of a memory
}

func readingOf(s string) reading { return readingWords(read(s)) }

func readingWords(all []word) reading {
	r := reading{all: all, words: meaning(all), stems: stems(all)}
	for part := range parted(all) {
		r.parts = append(r.parts, reading{all: part, words: meaning(part), stems: stems(part)})
	}
	return r
}

// parted yields the parts of sentences.
func parted(list []word) func(func([]word) bool) {
	return func(yield func([]word) bool) {
		for from := 0; from < len(list); {
			to := from + 1
			for to < len(list) && list[to].part == list[from].part {
				to++
			}
			if !yield(list[from:to]) {
				return
			}
			from = to
		}
	}
}

// sentences cuts the words of a text.
func sentences(list []word) [][]word {
	var out [][]word
	for i := range list {
		if i == 0 || list[i].sentence != list[i-1].sentence {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], list[i])
	}
	return out
}

// variants are what a sentence says: itself or, if it has a list of single words ("tabs,
// spaces and breaks"), one sentence for each member.
func variants(list []word) [][]word {
	from, to := listed(list)
	if from < 0 {
		return [][]word{list}
	}
	var out [][]word
	for i := from; i <= to; i++ {
		if list[i].free {
			continue
		}
		v := slices.Concat(list[:from], list[i:i+1], list[to+1:])
		if v[from].comma = false; len(out) == mostVariants {
			return nil
		}
		out = append(out, v)
	}
	return out
}

// listed is where the first list of single words begins and ends, from the first member
// to the last; -1 if there is none.
func listed(list []word) (from, to int) {
	for i := 1; i < len(list)-1; i++ {
		to = i + 1
		for to < len(list)-1 && table().article[list[to].form] {
			to++
		}
		if !list[i].joins || list[i-1].free || list[to].free {
			continue
		}
		from = i - 1
		for from > 0 && list[from-1].comma && !list[from-1].free {
			from--
		}
		return from, to
	}
	return -1, -1
}

// says reports whether a memory says a sentence: each part of it in one part of the memory,
// as said or denied there, and all of it in an order in which nobody changes places with
// another.
func (r reading) says(sentence []word) bool {
	if r.saysInTurn(sentence) {
		return true
	}
	// "Before a push, run the tests."
	comma := slices.IndexFunc(sentence, func(w word) bool { return w.comma })
	if comma < 0 || comma == len(sentence)-1 || !fronted(sentence) {
		return false
	}
	turned := slices.Concat(sentence[comma+1:], sentence[:comma+1])
	for i := range turned {
		turned[i].part, turned[i].comma = 0, false
	}
	markSentence(table(), turned) // what is denied may reach further now
	return r.saysInTurn(turned)
}

func (r reading) saysInTurn(sentence []word) bool {
	want := meaning(sentence)
	for part := range parted(sentence) {
		p := meaning(part)
		if len(p) > 0 && !slices.ContainsFunc(r.parts, func(in reading) bool {
			return in.has(p) && in.inOrder(p) && in.counts(p) && in.sides(p) && in.roles(p) && in.names(p)
		}) {
			return false
		}
	}
	return len(want) > 0 && r.inOrder(want)
}

// fronted reports whether a sentence begins with where or when it holds.
func fronted(sentence []word) bool {
	t, w := table(), sentence[0].form
	return t.side[w] || t.only[w] || t.front[w]
}

// has reports whether all words are there, each in the way in which it is said.
func (r reading) has(want []word) bool {
	for i := range want {
		if !slices.ContainsFunc(r.words, func(w word) bool { return matches(&want[i], &w) }) {
			return false
		}
		// "opt in" is not said by "opt out".
		if o := table().opposite[want[i].form]; o != "" && !r.beside(want, i) && r.form(o) {
			return false
		}
	}
	return true
}

// matches reports whether a word of a sentence is one of a memory.
func matches(want, has *word) bool {
	if want.denied != has.denied || want.bad != has.bad || want.only != has.only {
		return false
	}
	if want.exact || has.exact {
		if want.exact && has.exact || want.count || has.count {
			return want.form == has.form
		}
		return want.form == has.form || want.stem == has.stem // at the beginning of a sentence nobody sees a name
	}
	return want.stem == has.stem
}

func (r reading) form(form string) bool {
	return slices.ContainsFunc(r.words, func(w word) bool { return w.form == form })
}

// beside reports whether a word of a sentence has the neighbour in the memory that it has
// there.
func (r reading) beside(want []word, i int) bool {
	for j := range r.words {
		if !matches(&want[i], &r.words[j]) {
			continue
		}
		if i > 0 && j > 0 && matches(&want[i-1], &r.words[j-1]) || i+1 < len(want) && j+1 < len(r.words) && matches(&want[i+1], &r.words[j+1]) {
			return true
		}
	}
	return false
}

// inOrder reports whether the words stand in the memory as in the sentence, but for two
// neighbours that may have changed places: "run tests", "tests run". No name, number or
// path may.
func (r reading) inOrder(want []word) bool {
	if r.inTurn(want) {
		return true
	}
	for i := range len(want) - 1 {
		if r.isExact(&want[i]) || r.isExact(&want[i+1]) {
			continue
		}
		swapped := slices.Clone(want)
		swapped[i], swapped[i+1] = want[i+1], want[i]
		if r.inTurn(swapped) {
			return true
		}
	}
	return false
}

// inTurn reports whether the words stand in the memory one behind the other.
func (r reading) inTurn(want []word) bool {
	i := 0
	for j := 0; i < len(want) && j < len(r.words); j++ {
		if matches(&want[i], &r.words[j]) {
			i++
		}
	}
	return i == len(want)
}

// isExact reports whether a word is a name, a number or a path, in the sentence or in the
// memory: at the beginning of a sentence nobody sees a name.
func (r reading) isExact(w *word) bool {
	return w.exact || w.count || slices.ContainsFunc(r.words, func(in word) bool { return in.exact && in.form == w.form })
}

// roles reports whether nothing of the sentence stands in the memory behind an "over" or
// "before" that the sentence leaves out: "prefer rg over grep" does not say "prefer grep".
func (r reading) roles(want []word) bool {
	for i := range want {
		led := func(w *word) bool { return table().side[w.form] || table().strict[w.form] }
		if led(&want[i]) {
			continue
		}
		ok := slices.ContainsFunc(r.at(&want[i]), func(j int) bool {
			return j == 0 || !led(&r.words[j-1]) || slices.ContainsFunc(want[max(0, i-2):i], func(w word) bool { return matches(&w, &r.words[j-1]) })
		})
		if !ok {
			return false
		}
	}
	return true
}

// counts reports whether each number counts the same: what follows it, or at the end what
// stands before it.
func (r reading) counts(want []word) bool {
	for i := range want {
		if !want[i].count {
			continue
		}
		ok := slices.ContainsFunc(r.at(&want[i]), func(j int) bool {
			switch last := len(r.words) - 1; {
			case i+1 < len(want) && j < last:
				return matches(&want[i+1], &r.words[j+1])
			case i+1 < len(want) || i > 0 && j > 0:
				return i > 0 && j > 0 && matches(&want[i-1], &r.words[j-1])
			}
			return true
		})
		if !ok {
			return false
		}
	}
	return true
}

// names reports whether each name has a neighbour that it has in the memory: "Alice reviews the
// code of Bob" does not say that she reviews Bob.
func (r reading) names(want []word) bool {
	for i := range want {
		if len(want) > 1 && r.isExact(&want[i]) && !r.beside(want, i) {
			return false
		}
	}
	return true
}

// at are the places of a word in the memory.
func (r reading) at(w *word) []int {
	var list []int
	for j := range r.words {
		if matches(w, &r.words[j]) {
			list = append(list, j)
		}
	}
	return list
}

// reach is how far behind a word such as "before" that stands which it is about.
const reach = 2

// sides reports whether what stands behind a word such as "before" stands there in the
// memory too, and not what stands before it.
func (r reading) sides(want []word) bool {
	t := table()
	for i := range want {
		side := t.side[want[i].form]
		if !side && !t.way[want[i].form] || i+1 == len(want) {
			continue
		}
		places := r.at(&want[i])
		if !side && len(places) == 0 {
			continue
		}
		ok := slices.ContainsFunc(places, func(j int) bool {
			near := reach
			if t.strict[want[i].form] || t.near[want[i].form] {
				near = 1
			}
			behind := r.words[j+1 : min(len(r.words), j+1+near)]
			at := slices.IndexFunc(behind, func(w word) bool { return matches(&want[i+1], &w) })
			return at >= 0 && (i == 0 || !slices.ContainsFunc(behind[:at], func(w word) bool { return matches(&want[i-1], &w) }))
		})
		if !ok {
			return false
		}
	}
	return true
}
