package skill

import (
	"cmp"
	"slices"
	"strings"

	"ken/internal/text"
)

// Matched returns the skills whose bodies go with a question unasked, those first of which
// it has more. Case, accents and the forms of words do not count; in a script without
// blanks a keyword may stand anywhere.
func Matched(question string, live []File) []File {
	type hit struct {
		file  File
		words int
	}
	var hits []hit
	asked := read(question)
	for _, f := range live {
		if n := f.hits(asked); n > 0 {
			hits = append(hits, hit{f, n})
		}
	}
	slices.SortStableFunc(hits, func(x, y hit) int { return cmp.Compare(y.words, x.words) })
	files := make([]File, len(hits))
	for i, h := range hits {
		files[i] = h.file
	}
	return files
}

// A question is what was asked, for keywords to be looked up in.
type question struct {
	words []string // in order, by their stems, with those of a dense script as runs
	whole string   // folded
}

// maxQuestion is how much of a question is looked at, in bytes: what is longer was not typed.
const maxQuestion = 16 << 10

func read(s string) question {
	s = s[:min(len(s), maxQuestion)]
	return question{stems(s), text.Fold(s)}
}

// stems are the words of a text, a run of a dense script apart from what it stands at.
func stems(s string) []string {
	var list []string
	for _, w := range text.WordsInOrder(s) {
		for w != "" {
			dense := func(r rune) bool { return text.Dense(r) }
			end := strings.IndexFunc(w, func(r rune) bool { return !text.Dense(r) })
			if end == 0 {
				end = strings.IndexFunc(w, dense)
			}
			if end < 0 {
				end = len(w)
			}
			list = append(list, text.Stem(text.FoldWord(w[:end])))
			w = w[end:]
		}
	}
	return list
}

// hits is how many words of a skill's keywords stand in a question; 0 if it does not match.
func (s Skill) hits(q question) int {
	if s.Trigger != Auto && s.Trigger != Match {
		return 0
	}
	n := 0
	for _, k := range s.Keywords {
		n += q.has(k)
	}
	if n > 0 || s.Trigger == Match {
		return n
	}
	name := slices.DeleteFunc(strings.FieldsFunc(strings.ToLower(s.Name), func(r rune) bool { return r == '-' || r == '_' }), text.IsStop)
	if len(name) < 2 { // one word says too little
		return 0
	}
	for _, w := range name {
		if !slices.Contains(q.words, text.Stem(text.FoldWord(w))) {
			return 0
		}
	}
	return len(name)
}

// has is how many words a keyword has, if it stands in the question; else 0.
func (q question) has(keyword string) int {
	if strings.IndexFunc(keyword, text.Dense) >= 0 {
		if k := strings.TrimSpace(text.Fold(keyword)); k != "" && strings.Contains(q.whole, k) {
			return len(stems(k))
		}
		return 0
	}
	k := stems(keyword)
	if len(k) == 0 {
		return 0
	}
	for i := range len(q.words) - len(k) + 1 {
		if slices.Equal(q.words[i:i+len(k)], k) {
			return len(k)
		}
	}
	return 0
}
