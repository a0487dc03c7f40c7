package patterns

import (
	"slices"
	"strings"

	"ken/internal/conflict"
)

// against reports whether a memory contradicts what is said, and why. others are the other memories that
// are cited, which may show that what is said is of something else; nil: it is none that is cited.
func against(said, theirs string, others []reading) (why string, ok bool) {
	cited := others != nil
	if v, why := conflict.Compare(said, theirs); v == conflict.Contradicts {
		return why, true
	}
	m := readingOf(theirs)
	for _, sentence := range sentences(read(said)) {
		s := readingWords(sentence)
		if conflict.Contradicts == compareOf(sentence, theirs) {
			return "both can hardly be true", true
		}
		switch {
		case s.denies(m, others):
			return "one says it, the other says not", true
		case m.deniedBy(s, others):
			return "one says it, the other says not", true
		}
		if w := s.swaps(m, cited); w != "" {
			return "what stands before and behind " + w + " changed places", true
		}
	}
	return "", false
}

// compareOf compares one sentence, since a text of several is compared with nothing.
func compareOf(sentence []word, theirs string) conflict.Relation {
	var b strings.Builder
	for i := range sentence {
		b.WriteString(sentence[i].form + " ")
	}
	v, _ := conflict.Compare(strings.TrimSpace(b.String()), theirs)
	return v
}

// stance is how a word stands in its text: said, denied, or neither for sure. beside says of the text
// that it is compared with that it tells of a failure as well.
func (w *word) stance(beside bool) denied {
	switch {
	case w.denied == perhaps || w.less:
		return perhaps
	case w.bad && beside && !w.forbid:
		return w.denied
	case w.forbid && w.denied == said:
		return negated
	case w.forbid:
		return said
	case w.denied == said && w.bad:
		return perhaps // "tabs broke the deploy" is for nothing
	}
	return w.denied
}

// stands is how the words of a stem stand in a text; has is false if there are none.
func (r *reading) stands(w *word) (list []denied) {
	for i := range r.words {
		if x := &r.words[i]; x.form == w.form || !w.count && !w.marks && !x.count && !x.marks && x.stem == w.stem {
			list = append(list, x.stance(w.bad && !w.forbid))
		}
	}
	return list
}

// only reports whether a word stands in a text, and in one way only.
func (r *reading) only(w *word, as denied) bool {
	list := r.stands(w)
	return len(list) > 0 && !slices.ContainsFunc(list, func(d denied) bool { return d != as })
}

// cores are what a text denies, part by part: the words behind a negation, up to a word such as
// "before" that says when or against what.
func (r *reading) cores() (list []core) {
	t := table()
	for _, p := range r.parts {
		var c core
		var weak []word // denied where nothing else is: "it was not run"
		for i := range p.words {
			w := &p.words[i]
			if w.stance(w.bad) != negated {
				continue
			}
			if t.side[w.form] && len(c.words) > 0 {
				c.cut = true
				break
			}
			switch {
			case t.wide[w.form], t.no[w.form], t.side[w.form], t.forbid[w.form], t.forbid[w.stem]:
			case t.weak[w.form]:
				weak = append(weak, *w)
			default:
				c.words = append(c.words, *w)
			}
		}
		if len(c.words) == 0 {
			c.words = weak
		}
		c.turned = slices.ContainsFunc(p.all[1:], func(w word) bool { return t.turn[w.form] && w.denied == negated })
		c.first = t.no[p.all[0].form] || t.forbid[p.all[0].form] || p.all[0].form == "do" && len(p.all) > 1 && t.no[p.all[1].form]
		for i := 1; i < len(p.all); i++ { // "in the vault and never in the repository"
			c.first = c.first || t.no[p.all[i].form] && p.all[i-1].joins
		}
		c.first = c.first || slices.ContainsFunc(p.all, func(w word) bool { return t.near[w.form] && t.no[w.form] })
		if c.past = p.past(); len(c.words) > 0 {
			list = append(list, c)
		}
	}
	return list
}

// A core is what a part of a text denies.
type core struct {
	words  []word
	past   bool // it tells of what happened
	turned bool // "no push without a review": it asks for something
	cut    bool // it is denied under a condition that follows
	first  bool // it says what is to be done: "never use ...", "... instead of ..."
}

// past reports whether a text tells of what happened.
func (r *reading) past() bool { return slices.ContainsFunc(r.all, func(w word) bool { return w.past }) }

// denies reports whether a text denies what a memory says: all that the memory has of what is denied
// is said there, and both speak of one matter. That something happened is not against that it never
// should: "never on Fridays", "do not push by force".
func (r *reading) denies(m reading, others []reading) bool {
	for _, c := range r.cores() {
		// what no memory knows is a word of its own, for what they say
		c.words = slices.DeleteFunc(c.words, func(w word) bool {
			return len(others) > 0 && len(m.stands(&w)) == 0 && !slices.ContainsFunc(others, func(o reading) bool { return len(o.stands(&w)) > 0 })
		})
		if len(c.words) == 0 || c.turned {
			continue
		}
		names := true
		for i := range c.words {
			names = names && (c.words[i].exact || c.words[i].upper)
		}
		if slices.ContainsFunc(c.words, func(w word) bool { return !m.only(&w, said) }) || !r.shares(m, c) {
			continue
		}
		now := slices.ContainsFunc(m.parts, func(p reading) bool {
			return !p.past() && slices.ContainsFunc(c.words, func(w word) bool { return len(p.stands(&w)) > 0 })
		})
		if now || r.past() || !names && !c.first {
			return true
		}
	}
	return false
}

// deniedBy reports whether a text s says what a memory denies. It is of something else if a word that
// the memory has not tells it apart, and another memory has both.
func (r *reading) deniedBy(s reading, others []reading) bool {
	for _, c := range r.cores() {
		own := slices.ContainsFunc(s.words, func(w word) bool { return !table().wide[w.form] && !r.stems[w.stem] })
		if c.past && !s.past() || c.cut && own {
			continue // of what happened, or of another case
		}
		if slices.ContainsFunc(c.words, func(w word) bool { return !s.only(&w, said) }) || !s.shares(*r, c) {
			continue
		}
		if !slices.ContainsFunc(others, func(o reading) bool { return s.apart(*r, o, c) }) {
			return true
		}
	}
	return false
}

// shares reports whether a text and a memory have a subject beside what is denied, or what is denied
// is enough of one.
func (r *reading) shares(m reading, c core) bool {
	if len(c.words) > 1 {
		return true
	}
	t := table()
	beside := 0
	for i := range r.words {
		w := &r.words[i]
		if t.weak[w.form] || t.wide[w.form] || t.side[w.form] || w.stem == c.words[0].stem || t.no[w.form] {
			continue
		}
		if beside++; m.stems[w.stem] {
			return true
		}
	}
	return beside == 0
}

// apart reports whether a memory o shows that a text is not about what m denies.
func (r *reading) apart(m, o reading, c core) bool {
	if o.past() && !r.past() {
		return false // it happened so; that it should is another matter
	}
	for i := range c.words {
		if !o.only(&c.words[i], said) {
			return false
		}
	}
	differs := false
	for stem := range r.stems {
		switch {
		case m.stems[stem] && !o.stems[stem]:
			return false
		case !m.stems[stem] && o.stems[stem]:
			differs = true
		}
	}
	return differs
}

// swaps returns the word such as "before" behind which a text has what stands before it in a memory;
// "" if there is none.
func (r *reading) swaps(m reading, cited bool) string {
	t := table()
	for i := range r.words {
		w, behind := &r.words[i], next(r.words, i)
		if behind == nil || !t.side[w.form] && !t.way[w.form] {
			continue
		}
		for _, q := range sentences(m.words) {
			for j := range q {
				there := q[j+1 : min(len(q), j+1+reach)]
				switch {
				case q[j].form != w.form || !hasStem(q[:j], behind.stem) || hasStem(there, behind.stem):
				case cited && t.side[w.form], slices.ContainsFunc(there, func(w word) bool { return hasStem(r.words[:i], w.stem) }):
					return w.form
				}
			}
		}
	}
	return ""
}

func hasStem(list []word, stem string) bool {
	return slices.ContainsFunc(list, func(w word) bool { return w.stem == stem })
}

// next is the word behind i that is no "always" or "every".
func next(list []word, i int) *word {
	for j := i + 1; j < len(list); j++ {
		if !table().wide[list[j].form] {
			return &list[j]
		}
	}
	return nil
}
