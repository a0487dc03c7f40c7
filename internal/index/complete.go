package index

import (
	"cmp"
	"slices"
	"unicode"
	"unicode/utf8"

	"ken/internal/text"
)

const (
	// leastPrefix is how many letters of a word are a beginning of others.
	leastPrefix = 3
	// mostCompleted is how many words that begin with it count, the first by their
	// letters.
	mostCompleted = 20
)

// A Worder is a Reader that knows its words.
type Worder interface {
	// Words yields the texts of the terms of the form Word that begin with prefix,
	// ascending, those that only deleted documents have included.
	Words(prefix string, yield func(word string) bool) error
}

// Complete gives corpora that have for each word of a query that no document has what
// has a word that begins with it: "kett" finds the kettle. It counts as a form of the
// word, not as the word itself. Without such words they are the corpora as they
// were. A Reader that is no Worder has none.
func Complete(corpora []*Corpus, query string) ([]*Corpus, error) {
	words := make(map[Term][]Term)
	for _, t := range Terms(query) {
		if t.Form != Word || utf8.RuneCountInString(t.Text) < leastPrefix || !letters(t.Text) {
			continue
		}
		stem := Term{Stem, text.Stem(t.Text)}
		known, err := has(corpora, t, stem)
		if err != nil {
			return nil, err
		}
		if known {
			continue
		}
		list, err := completed(corpora, t.Text)
		if err != nil {
			return nil, err
		}
		if len(list) > 0 {
			words[stem] = list
		}
	}
	if len(words) == 0 {
		return corpora, nil
	}
	wrapped := make([]*Corpus, len(corpora))
	for i, c := range corpora {
		wrapped[i] = c.with(completing{c.Reader, words})
	}
	return wrapped, nil
}

// with is the corpus with another reader of its documents.
func (c *Corpus) with(r Reader) *Corpus {
	w := &Corpus{Rows: c.Rows, Names: c.Names, Reader: r}
	order := c.DocOrder()
	w.orderOnce.Do(func() { w.docOrder = order })
	return w
}

// letters reports whether a word is of letters and numbers with spaces around.
func letters(w string) bool {
	for _, r := range w {
		if text.Dense(r) || !unicode.In(r, unicode.L, unicode.N, unicode.M) {
			return false
		}
	}
	return true
}

// has reports whether a document that is there has one of the terms.
func has(corpora []*Corpus, terms ...Term) (bool, error) {
	var list []Posting
	for _, c := range corpora {
		for _, t := range terms {
			var err error
			if list, err = c.AppendPostings(list[:0], t); err != nil {
				return false, err
			}
			if slices.ContainsFunc(list, func(p Posting) bool { return !c.Rows.Deleted(p.Doc) }) {
				return true, nil
			}
		}
	}
	return false, nil
}

// completed are the first words of the corpora that begin with a prefix and that a
// document has that is there.
func completed(corpora []*Corpus, prefix string) ([]Term, error) {
	var all []Term
	for _, c := range corpora {
		w, ok := c.Reader.(Worder)
		if !ok {
			continue
		}
		n := 0
		var failed error
		err := w.Words(prefix, func(word string) bool {
			t := Term{Word, word}
			there, err := has([]*Corpus{c}, t)
			if failed = err; there {
				all, n = append(all, t), n+1
			}
			return err == nil && n < mostCompleted
		})
		if failed != nil {
			err = failed
		}
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(all, func(a, b Term) int { return cmp.Compare(a.Text, b.Text) })
	all = slices.Compact(all)
	return all[:min(len(all), mostCompleted)], nil
}

// A completing reader has more under some terms.
type completing struct {
	Reader
	words map[Term][]Term
}

// Prepare implements preparer.
func (r completing) Prepare(wanted []Term) {
	var list []Term
	for _, t := range wanted {
		if words, ok := r.words[t]; ok {
			list = append(list, words...)
		} else {
			list = append(list, t)
		}
	}
	prepare(r.Reader, list)
}

// AppendPostings implements Reader.
func (r completing) AppendPostings(list []Posting, t Term) ([]Posting, error) {
	first := len(list)
	words, ok := r.words[t]
	if !ok {
		return r.Reader.AppendPostings(list, t)
	}
	for _, w := range words {
		var err error
		if list, err = r.Reader.AppendPostings(list, w); err != nil {
			return list[:first], err
		}
	}
	return united(list, first), nil
}
