package synth

import (
	"slices"
	"strings"
	"unicode"

	"ken/internal/conflict"
	"ken/internal/memory"
	"ken/internal/text"
)

// sources are the memories that a draft cites, as it is compared with them.
type sources struct {
	items    []memory.Item
	readings []reading
	pool     string          // all of their texts
	stems    map[string]bool // of all of them
	forms    map[string]bool
	pieces   map[string]bool // words in paths and identifiers: docker, in docker-compose.yml
}

func sourcesOf(list []memory.Item) *sources {
	s := &sources{items: list, stems: make(map[string]bool), forms: make(map[string]bool), pieces: make(map[string]bool)}
	var all strings.Builder
	for _, it := range list {
		all.WriteString(" " + it.Record.Content)
	}
	s.pool = all.String()
	for _, it := range list {
		r := readingOf(plain(it.Record.Content, s.pool))
		for i := range r.words {
			w := &r.words[i]
			if s.stems[w.stem], s.forms[w.form] = true, true; w.marks {
				for piece := range strings.FieldsFuncSeq(strings.ToLower(w.form), func(r rune) bool { return !unicode.IsLetter(r) }) {
					s.pieces[piece] = true
				}
			}
		}
		s.readings = append(s.readings, r)
	}
	return s
}

// plain is a text in which "no" says what it does among such texts: where others say "não", it is "in the".
func plain(s, pool string) string {
	if !strings.Contains(text.Fold(pool), " nao ") {
		return s
	}
	return strings.ReplaceAll(s, " no ", " em ")
}

// knows reports whether a memory has a word: a number or a path as it is written, all else by
// its stem.
func (s *sources) knows(w *word) bool {
	return s.forms[w.form] || !w.count && !w.marks && (s.stems[w.stem] || s.pieces[w.form])
}

// judge refuses a text that contradicts a memory, or that has a number, a name or a path of its own,
// or another's. beyond is what of the rest none of the memories says.
func (s *sources) judge(said string) (beyond []string, err error) {
	said = plain(said, s.pool)
	all := read(said)
	list := sentences(all)
	if len(meaning(all)) == 0 {
		return nil, reject("it says nothing")
	}
	for i, it := range s.items {
		others := append(slices.Clone(s.readings[:i]), s.readings[i+1:]...)
		if why, ok := against(said, plain(it.Record.Content, s.pool), others); ok {
			return nil, reject("it cites #%s, which says otherwise (%s)", it.Ref(), why)
		}
	}
	for _, sentence := range list {
		if s.says(sentence) || len(variants(sentence)) > 1 && !slices.ContainsFunc(variants(sentence), func(v []word) bool { return !s.says(v) }) {
			continue
		}
		if err := s.owns(sentence); err != nil {
			return nil, err
		}
		if err := s.binds(sentence); err != nil {
			return nil, err
		}
		own := s.own(sentence)
		if len(own) == 0 {
			if err := s.replaced(sentence); err != nil {
				return nil, err
			}
			own = []string{"what it puts together"}
		}
		for _, w := range own {
			if !slices.Contains(beyond, w) {
				beyond = append(beyond, w)
			}
		}
	}
	return beyond, nil
}

func (s *sources) says(sentence []word) bool {
	return slices.ContainsFunc(s.readings, func(r reading) bool { return r.says(sentence) })
}

// own are the words with a meaning that no memory has.
func (s *sources) own(sentence []word) (list []string) {
	for i := range sentence {
		if w := &sentence[i]; !w.free && !s.knows(w) {
			list = append(list, w.form)
		}
	}
	return list
}

// about refuses a text that says nothing of a memory that it cites.
func (s *sources) about(said string) error {
	mine := subjects(read(said))
	for i, it := range s.items {
		shared, dense := 0, 0
		for stem := range mine {
			if s.readings[i].stems[stem] {
				shared++
				if strings.ContainsFunc(stem, text.Dense) {
					dense++
				}
			}
		}
		if shared == 0 || shared == dense && dense < 2 {
			return reject("it cites #%s, which says nothing of the matter", it.Ref())
		}
	}
	return nil
}

// subjects are the stems of the words that say what a text is about, without those that may
// stand in any.
func subjects(list []word) map[string]bool {
	set := topics(list)
	t := table()
	for i := range list {
		if w := &list[i]; t.weak[w.form] || t.wide[w.form] {
			delete(set, w.stem)
		}
	}
	return set
}

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
