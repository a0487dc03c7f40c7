package patterns

import (
	"slices"
	"strings"
	"unicode"
)

// owns refuses a sentence with a number, a path or a name that no memory has, or with a value in
// the place of theirs.
func (s *sources) owns(sentence []word) error {
	t := table()
	german := s.german(sentence)
	skips := slices.ContainsFunc(sentence, func(w word) bool { return t.skip[w.form] })
	for i := range sentence {
		w := &sentence[i]
		if w.free || t.wide[w.form] || s.knows(w) {
			continue
		}
		switch {
		case t.checks[w.form] && (w.forbid || w.denied != said || skips):
			return reject("it says not to %q, which no memory that it cites says", excerpt(w.form))
		case w.count && !t.single[w.form]:
			return reject("no memory that it cites has the number %q", excerpt(w.form))
		case w.marks:
			return reject("no memory that it cites has %q", excerpt(w.form))
		case t.day[w.form] || t.day[w.stem], w.exact && !w.count && !german && !w.dense, foreign(sentence, i):
			return reject("no memory that it cites has the name %q", excerpt(w.form))
		case w.upper && s.called(sentence, i, german):
			return reject("no memory that it cites has the name %q", excerpt(w.form))
		}
		if ref, theirs := s.filled(sentence, i); theirs != "" {
			return reject("it says %q where #%s says %q", excerpt(w.form), ref, excerpt(theirs))
		}
		if theirs := s.dropped(sentence, i); theirs != "" {
			return reject("it says %q where all of them say %q", excerpt(w.form), excerpt(theirs))
		}
		if o := t.opposite[w.form]; o != "" && s.forms[o] {
			return reject("it says %q where they say %q", excerpt(w.form), o)
		}
	}
	return nil
}

// german reports whether a sentence, or what it rests on, is German, where all nouns have capital letters.
func (s *sources) german(sentence []word) bool {
	all := slices.Clone(sentence)
	for _, r := range s.readings {
		all = append(all, r.all...)
	}
	return tongue(all, table().german)
}

// tongue reports whether a sentence is of the language of some small words.
func tongue(sentence []word, small map[string]bool) bool {
	seen := make(map[string]bool)
	for i := range sentence {
		if small[sentence[i].form] {
			seen[sentence[i].form] = true
		}
	}
	return len(seen) >= 2
}

// foreign reports whether a word of Latin letters stands in a sentence of another script: there it
// is a name.
func foreign(sentence []word, i int) bool {
	latin, other := 0, 0
	for j := range sentence {
		if r := []rune(sentence[j].form)[0]; unicode.Is(unicode.Latin, r) {
			latin++
		} else if unicode.IsLetter(r) {
			other++
		}
	}
	return other > latin && unicode.Is(unicode.Latin, []rune(sentence[i].form)[0])
}

// ordinary reports whether a word is hardly a name, by its form or since a table has it.
func ordinary(w *word) bool {
	t := table()
	for _, set := range [...]map[string]bool{t.wide, t.weak, t.verb, t.only, t.end, t.no, t.front, t.side} {
		if set[w.form] {
			return true
		}
	}
	for _, end := range [...]string{
		"s", "ing", "ed", "ly", "tion", "sion", "ment", "ness", "ity", "ance", "ence", "ship", "ung", "heit", "keit", "ize", "ise", "ify",
		"ous", "ful", "less", "able", "ible", "ive", "ular",
	} {
		if strings.HasSuffix(w.form, end) && !strings.HasSuffix(w.form, "ss") && len(w.form) > len(end)+2 {
			return true
		}
	}
	return false
}

// called reports whether a word with a capital letter is a name: at the beginning of a sentence, and
// in German everywhere, the letter alone does not say it. A name has no article and one verb.
func (s *sources) called(list []word, i int, german bool) bool {
	t := table()
	w := &list[i]
	if ordinary(w) || i+1 >= len(list) {
		return false
	}
	if i > 0 && !list[i-1].stop && (t.article[list[i-1].form] || german && inflected(&list[i-1])) {
		return false
	}
	at := i + 1
	for at+1 < len(list) && t.wide[list[at].form] {
		at++
	}
	follows := &list[at]
	switch {
	case german && i > 0 && strings.HasSuffix(list[i-1].form, "t") && !list[i-1].free && t.article[follows.form]:
		return true // "holt Stefan die Kinder ab"
	case t.article[follows.form] || follows.comma && follows.free:
		return false
	case t.one[follows.form]:
		return true
	case follows.joins && at+1 < len(list):
		return list[at+1].exact && s.knows(&list[at+1])
	case german || tongue(list, t.dutch):
		return strings.HasSuffix(follows.form, "t") && !follows.upper && !follows.free && !t.no[follows.form]
	case strings.HasSuffix(follows.form, "ed"):
		return true
	case strings.HasSuffix(follows.form, "s") && len(follows.form) > 3 && !strings.HasSuffix(follows.form, "ss"):
		return !s.knows(follows) || s.led(follows)
	case tongue(list, t.romance):
		return !strings.HasSuffix(w.form, "r") && !strings.HasSuffix(w.form, "re")
	}
	return false
}

// inflected reports whether a German word has an ending as adjectives before a noun have.
func inflected(w *word) bool {
	if w.free || w.upper {
		return false
	}
	return slices.ContainsFunc([]string{"e", "en", "er", "es", "em"}, func(end string) bool { return strings.HasSuffix(w.form, end) })
}

// led reports whether a memory has a word behind a name: then it is a verb.
func (s *sources) led(w *word) bool {
	for _, r := range s.readings {
		for i := range r.all {
			if i > 0 && r.all[i].stem == w.stem && r.all[i-1].upper && !table().verb[r.all[i-1].form] {
				return true
			}
		}
	}
	return false
}

// filled returns the value that a memory has in the place in which a sentence has another one of its
// own: behind a word such as "with", or at the end of the same words.
func (s *sources) filled(list []word, i int) (ref, theirs string) {
	w := &list[i]
	group := slotOf(list, i)
	for k, r := range s.readings {
		if group != "" {
			for j := range r.all {
				if v := &r.all[j]; slotOf(r.all, j) == group && !hasStem(list, v.stem) {
					return s.items[k].Ref(), v.form
				}
			}
		}
		for _, theirs := range slices.Concat([][]word{r.all}, partsOf(r.all)) {
			for _, mine := range slices.Concat([][]word{list}, partsOf(list)) {
				if v := exchanged(mine, theirs, w); v != nil && !hasStem(list, v.stem) {
					return s.items[k].Ref(), v.form
				}
			}
		}
	}
	return "", ""
}

func partsOf(list []word) (out [][]word) {
	for p := range parted(list) {
		out = append(out, p)
	}
	return out
}

// exchanged returns the word in the place of which a text has w: all else is the same, or both
// begin so and have it behind the same small word. A plain word in the place of a name ("config"
// for "YAML") is more than that: it is a class. Nil: there is none.
func exchanged(mine, theirs []word, w *word) *word {
	x, y := meaning(mine), meaning(theirs)
	i := slices.IndexFunc(x, func(v word) bool { return v.form == w.form })
	if i < 0 || i >= len(y) || len(x) < 3 || x[i].stem == y[i].stem {
		return nil
	}
	same := func(x, y word) bool { return x.stem == y.stem && x.denied == y.denied }
	if !slices.EqualFunc(x[:i], y[:i], same) {
		return nil
	}
	class := y[i].exact && !y[i].dense && !x[i].upper
	if len(x) == len(y) && slices.EqualFunc(x[i+1:], y[i+1:], same) && !class {
		return &y[i]
	}
	if i == len(x)-1 && before(mine, &x[i]) == before(theirs, &y[i]) {
		return &y[i]
	}
	return nil
}

// before is the word before one in a text.
func before(list []word, w *word) string {
	if i := slices.IndexFunc(list, func(v word) bool { return v.form == w.form }); i > 0 {
		return list[i-1].form
	}
	return ""
}

// replaced refuses a sentence of words that all are theirs, which has all of what a memory says but
// for one word, or for all that follows the same beginning, and words of another in its place; or
// the very words of one in another order, which come to nothing.
func (s *sources) replaced(sentence []word) error {
	same := func(x, y word) bool { return x.stem == y.stem }
	for _, v := range variants(sentence) {
		said := meaning(v)
		if len(said) == 0 || slices.ContainsFunc(s.readings, func(r reading) bool { return r.inTurn(said) }) {
			continue
		}
		for k, r := range s.readings {
			if len(said) == len(r.words) && !slices.ContainsFunc(said, func(w word) bool { return !hasStem(r.words, w.stem) }) {
				return reject("it says no more than #%s, in another order", s.items[k].Ref())
			}
			if r.has(said) && !r.roles(said) {
				return reject("#%s has its words and says otherwise", s.items[k].Ref())
			}
			for _, q := range sentences(r.words) {
				n := 0
				for n < min(len(said), len(q)) && same(said[n], q[n]) {
					n++
				}
				if n == len(said) || n == len(q) {
					continue
				}
				rest, others := said[n:], q[n:]
				one := len(said) > 2 && len(said) == len(q) && slices.EqualFunc(rest[1:], others[1:], same)
				end := n > 2 && !slices.ContainsFunc(rest, func(w word) bool { return hasStem(others, w.stem) })
				if one || end {
					return reject("it says %q where #%s says %q", excerpt(rest[0].form), s.items[k].Ref(), excerpt(others[0].form))
				}
			}
		}
	}
	return nil
}

// dropped returns the value that all memories have behind a preposition, where a sentence has one of
// its own there and not theirs.
func (s *sources) dropped(list []word, i int) string {
	behind := func(list []word, i int) bool {
		t := table()
		return i > 0 && !list[i].free && !list[i].count && !list[i].dense && !ordinary(&list[i]) && !list[i-1].comma && !list[i-1].stop &&
			(t.slot[list[i-1].form] != "" || t.of[list[i-1].form])
	}
	if !behind(list, i) || i+1 < len(list) && !list[i].comma && !list[i+1].free && strings.HasSuffix(list[i+1].form, "s") {
		return ""
	}
	for j := range s.readings[0].all {
		v := &s.readings[0].all[j]
		if !behind(s.readings[0].all, j) || hasStem(list, v.stem) {
			continue
		}
		if !slices.ContainsFunc(s.readings, func(r reading) bool { return !r.stems[v.stem] }) {
			return v.form
		}
	}
	return ""
}

// slotOf is the group of the word behind which a value of one word, without an article, stands; ""
// if it is none.
func slotOf(list []word, i int) string {
	w := &list[i]
	if i == 0 || w.free || w.count || w.dense || list[i-1].comma || list[i-1].stop {
		return ""
	}
	if ordinary(w) && !w.upper || table().no[w.form] {
		return ""
	}
	if i+1 < len(list) && !w.comma && !w.end && !w.stop && !list[i+1].free && !table().side[list[i+1].form] && !table().no[list[i+1].form] {
		return "" // "with package managers", "use strict mode"
	}
	return table().slot[list[i-1].form]
}

// binds refuses a sentence that ties a name or a number to another matter than the memories do.
func (s *sources) binds(sentence []word) error {
	for part := range parted(sentence) {
		list := meaning(part)
		for i := range list {
			w := &list[i]
			switch {
			case w.count && !w.marks && s.knows(w) && !s.counted(list, i):
				return reject("no memory that it cites counts so with %q", excerpt(w.form))
			case s.person(w) && !s.beside(list, i):
				return reject("no memory that it cites says so of %q", excerpt(w.form))
			}
		}
	}
	var names []int
	for i := range sentence {
		if s.person(&sentence[i]) {
			names = append(names, i)
		}
	}
	for k, i := range names {
		for _, j := range names[k+1:] {
			if sentence[i].form != sentence[j].form && s.turned(sentence, i, j) {
				return reject("%q and %q changed places", excerpt(sentence[i].form), excerpt(sentence[j].form))
			}
		}
	}
	return nil
}

// person reports whether a word is a name as people and towns have them, by how a memory writes it.
func (s *sources) person(w *word) bool {
	if w.free || w.count || w.marks || w.dense || !w.upper {
		return false
	}
	t := table()
	named, german := false, s.german(nil)
	for _, r := range s.readings {
		for i := range r.all {
			x := &r.all[i]
			if x.form != w.form || !x.exact || x.marks || x.count || x.shouted {
				continue
			}
			if german && (ordinary(x) || t.article[r.all[i-1].form] || inflected(&r.all[i-1])) {
				return false // a noun, as all others there
			}
			named = true
		}
	}
	return named
}

// counted reports whether a number counts in a memory what it counts here.
func (s *sources) counted(list []word, i int) bool {
	return slices.ContainsFunc(s.readings, func(r reading) bool {
		return slices.ContainsFunc(r.parts, func(p reading) bool {
			for j := range p.words {
				if p.words[j].form != list[i].form {
					continue
				}
				mine, theirs := next(list, i), next(p.words, j)
				if mine == nil || theirs == nil || mine.stem == theirs.stem {
					return true
				}
			}
			return false
		})
	})
}

// beside reports whether a name has a neighbour that it has in a memory, or one that none has.
func (s *sources) beside(list []word, i int) bool {
	mine := neighbours(list, i)
	if len(mine) == 0 {
		return true
	}
	for _, n := range mine {
		if !s.knows(n) {
			return true
		}
		for _, r := range s.readings {
			for j := range r.words {
				if r.words[j].form != list[i].form {
					continue
				}
				for _, x := range neighbours(r.words, j) {
					if x.stem == n.stem {
						return true
					}
				}
			}
		}
	}
	return false
}

// neighbours are the words beside one, up to a comma.
func neighbours(list []word, i int) (out []*word) {
	t := table()
	for j := i - 1; j >= 0 && !list[j].comma && !list[j].end && !list[j].stop; j-- {
		if !t.wide[list[j].form] {
			out = append(out, &list[j])
			break
		}
	}
	for j := i; j+1 < len(list) && !list[j].comma && !list[j].end && !list[j].stop; j++ {
		if !t.wide[list[j+1].form] {
			out = append(out, &list[j+1])
			break
		}
	}
	return out
}

// turned reports whether each memory that has two names has them the other way round, where a "by"
// turns them once more.
func (s *sources) turned(list []word, i, j int) bool {
	both := false
	for _, r := range s.readings {
		for _, sentence := range sentences(r.all) {
			x := slices.IndexFunc(sentence, func(w word) bool { return w.form == list[i].form })
			y := slices.IndexFunc(sentence, func(w word) bool { return w.form == list[j].form })
			if x < 0 || y < 0 {
				continue
			}
			by := func(list []word, a, b int) bool { last := max(a, b); return last > 0 && table().by[list[last-1].form] }
			if (x < y) == (by(list, i, j) == by(sentence, x, y)) {
				return false
			}
			both = true
		}
	}
	return both
}
