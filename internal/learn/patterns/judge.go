package patterns

import (
	"slices"
	"strings"
	"unicode"

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
		members := variants(sentence)
		if s.says(sentence) || len(members) > 1 && !slices.ContainsFunc(members, func(v []word) bool { return !s.says(v) }) {
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
