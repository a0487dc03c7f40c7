package recall

import (
	"slices"

	"ken/internal/index"
)

// mostLinks is how many links a question has at most: each costs as much as a word
// of it.
const mostLinks = 48

// A link is a stem that goes with a term of the question.
type link struct {
	of   int // the term, by its number
	term index.Term
}

// look looks the terms up in the lexicon.
func (s *scratch) look() {
	s.says, s.links = s.says[:0], s.links[:0]
	for i, t := range s.wanted {
		if t.Form != index.Stem {
			s.says = append(s.says, 1)
			continue
		}
		known := entryOf(t.Text)
		s.says = append(s.says, known.says)
		for _, stem := range known.related() {
			if link := (link{i, index.Term{Form: index.Stem, Text: stem}}); len(s.links) < mostLinks && !slices.Contains(s.wanted, link.term) {
				s.links = append(s.links, link)
			}
		}
	}
}

// terms are the wanted ones and those of the links.
func (s *scratch) terms() []index.Term {
	all := slices.Clone(s.wanted)
	for i := range s.links {
		all = append(all, s.links[i].term)
	}
	return all
}

// ofLink are the postings of a link.
func (g *gathered) ofLink(i int) []index.Posting {
	from := 0
	if i > 0 {
		from = g.kinEnds[i-1]
	}
	return g.kin[from:g.kinEnds[i]]
}

// addLinks adds up, for each term, what goes with it: all of that counts as one
// word, and only where the term itself does not stand.
func (s *scratch) addLinks(documents int) {
	for from := 0; from < len(s.links); {
		to := from + 1
		for to < len(s.links) && s.links[to].of == s.links[from].of {
			to++
		}
		s.addLinked(from, to, documents)
		from = to
	}
}

// itself is set of an ordinal in linked that has the term itself.
const itself = 1 << 15

// addLinked adds up the links from and up to to, which are those of one term.
func (s *scratch) addLinked(from, to, documents int) {
	term, own, df := s.links[from].of, 0, 0
	for _, c := range s.corpora {
		list := c.of(term)
		own += len(list)
		for i := range list {
			if list[i].Counts[index.FieldContent] > 0 {
				s.linked[c.first+c.order.Ordinal(list[i].Doc)] = itself
			}
		}
		for l := from; l < to; l++ {
			list := c.ofLink(l)
			for i := range list {
				n := list[i].Counts[index.FieldContent]
				if n == 0 {
					continue
				}
				count := &s.linked[c.first+c.order.Ordinal(list[i].Doc)]
				if *count&^itself == 0 {
					df++
				}
				*count = *count&itself | min(plus(*count&^itself, n), itself-1)
			}
		}
	}
	// What many things are said of is no rarer than they are.
	n := max(documents, fewItems)
	s.weigh(min(rarity(n, own), rarity(n, df)) * s.says[term])
	for _, c := range s.corpora {
		for l := from; l < to; l++ {
			list := c.ofLink(l)
			for i := range list {
				ordinal := c.first + c.order.Ordinal(list[i].Doc)
				if count := s.linked[ordinal]; count < itself && count > 0 && s.has(ordinal) {
					s.sums[s.at(ordinal)].related += s.times(count)
				}
				s.linked[ordinal] &= itself
			}
		}
		list := c.of(term)
		for i := range list {
			s.linked[c.first+c.order.Ordinal(list[i].Doc)] = 0
		}
	}
}

// markLink marks the turns of those who have the link i in their name.
func (s *scratch) markLink(i int) {
	for _, c := range s.corpora {
		list := c.ofLink(i)
		for k := range list {
			if ordinal := c.first + c.order.Ordinal(list[k].Doc); list[k].Counts[index.FieldSpeaker] > 0 && s.has(ordinal) {
				s.marks[s.at(ordinal)] |= isNamed
			}
		}
	}
}
