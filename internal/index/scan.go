package index

import (
	"cmp"
	"context"
	"iter"
	"math"
	"slices"
	"unicode/utf8"
)

// A Scan is a Searcher that looks at every document for every query. It reads
// all texts once, when it is made.
type Scan struct {
	docs []Document
	// text holds the chunks of all fields of all documents, one after the other;
	// spans says where those of each field of each document end.
	text  []int32
	spans [][numFields]int32
	// vocabulary gives the terms of each chunk, by its number.
	vocabulary [][]int32
	numbers    map[term]int32 // of terms
}

// The fields of a document. numFields is how many there are.
const (
	fieldContent = iota
	fieldTags
	fieldSpeaker
	numFields
)

var _ Searcher = (*Scan)(nil)

// NewScan returns a Searcher over docs.
func NewScan(docs iter.Seq[Document]) *Scan {
	s := &Scan{numbers: make(map[term]int32)}
	chunkNumbers := make(map[string]int32)
	add := func(chunk string) {
		n, ok := chunkNumbers[chunk]
		if !ok {
			n = int32(len(s.vocabulary))
			chunkNumbers[chunk] = n
			s.vocabulary = append(s.vocabulary, s.number(terms(chunk)))
		}
		s.text = append(s.text, n)
	}
	for d := range docs {
		s.docs = append(s.docs, d)
		var ends [numFields]int32
		for f := range ends {
			d.field(f, func(text string) { chunks(text, add) })
			ends[f] = int32(len(s.text))
		}
		s.spans = append(s.spans, ends)
	}
	return s
}

// field yields the texts of field f.
func (d *Document) field(f int, yield func(string)) {
	switch f {
	case fieldContent:
		yield(d.Content)
	case fieldTags:
		for _, tag := range d.Tags {
			yield(tag)
		}
		yield(d.Key)
	case fieldSpeaker:
		yield(d.Speaker)
	}
}

// Len returns the number of documents.
func (s *Scan) Len() int { return len(s.docs) }

// number gives terms their numbers.
func (s *Scan) number(list []term) []int32 {
	numbers := make([]int32, len(list))
	for i, t := range list {
		n, ok := s.numbers[t]
		if !ok {
			n = int32(len(s.numbers))
			s.numbers[t] = n
		}
		numbers[i] = n
	}
	return numbers
}

// Search implements Searcher. The error is that of ctx.
func (s *Scan) Search(ctx context.Context, q Query) ([]Hit, error) {
	wanted := queryTerms(q.Text)
	if len(wanted) == 0 {
		return nil, ctx.Err()
	}
	found, df, err := s.match(ctx, wanted)
	if err != nil {
		return nil, err
	}
	idf := make([]float64, len(wanted))
	whole := 0.0 // the weight of the query
	for i, t := range wanted {
		idf[i] = rarity(len(s.docs), df[i])
		if t.form != word {
			whole += idf[i]
		}
	}
	var hits []Hit
	for i := range found {
		m := &found[i]
		d := &s.docs[m.doc]
		if m.share(wanted, idf) < Floor*whole || q.Keep != nil && !q.Keep(d) {
			continue
		}
		h := Hit{Document: d}
		h.Parts, h.Score = m.parts(wanted, idf)
		hits = append(hits, h)
	}
	// Found in the order of the documents, which a stable sort keeps.
	slices.SortStableFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), b.Time.Compare(a.Time))
	})
	if q.K > 0 && len(hits) > q.K {
		hits = slices.Clip(hits[:q.K])
	}
	return hits, nil
}

// maxTerms is how many terms of a query count. A question has a dozen; a page
// that was pasted must not cost more than the documents do.
const maxTerms = 256

// queryTerms are what a query asks for, each once, in the order of the text, at
// most maxTerms of them. Words that carry no meaning are left out, unless there
// are no others; and so are characters that are part of a pair.
func queryTerms(text string) []term {
	var all, meant []term
	seen := make(map[term]bool)
	stops := make(map[term]bool) // words without meaning, and their stems
	paired := make(map[rune]bool)
	chunks(text, func(chunk string) {
		for _, t := range terms(chunk) {
			if !seen[t] {
				seen[t] = true
				all = append(all, t)
			}
			if t.form != word {
				continue
			}
			if isStop(t.text) {
				stops[t], stops[term{stem, stemOf(t.text)}] = true, true
			}
			for _, r := range t.text {
				paired[r] = true
			}
		}
	})
	all = slices.DeleteFunc(all, func(t term) bool {
		r, _ := utf8.DecodeRuneInString(t.text)
		return t.form == single && paired[r]
	})
	for _, t := range all {
		if !stops[t] {
			meant = append(meant, t)
		}
	}
	if len(meant) == 0 {
		meant = all
	}
	return meant[:min(len(meant), maxTerms)]
}

// A match is how often a document has each wanted term, by field.
type match struct {
	doc    int
	counts [numFields][]int32
}

// match finds the documents that have any of the wanted terms, and in how many
// documents each of them stands.
func (s *Scan) match(ctx context.Context, wanted []term) (found []match, df []int32, err error) {
	asked := make(map[int32]int32, len(wanted)) // by number of a term: its place in wanted
	for i, t := range wanted {
		if n, ok := s.numbers[t]; ok {
			asked[n] = int32(i)
		}
	}
	has := make([][]int32, len(s.vocabulary)) // by chunk: places in wanted
	for chunk, list := range s.vocabulary {
		for _, n := range list {
			if i, ok := asked[n]; ok {
				has[chunk] = append(has[chunk], i)
			}
		}
	}
	df = make([]int32, len(wanted))
	at := int32(0)
	for doc, ends := range s.spans {
		if doc%4096 == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		var m *match
		for f, end := range ends {
			for _, chunk := range s.text[at:end] {
				for _, i := range has[chunk] {
					if m == nil {
						found = append(found, match{doc: doc})
						m = &found[len(found)-1]
					}
					if m.counts[f] == nil {
						m.counts[f] = make([]int32, len(wanted))
					}
					m.counts[f][i]++
				}
			}
			at = end
		}
		if m != nil {
			for i := range wanted {
				if m.has(i) {
					df[i]++
				}
			}
		}
	}
	return found, df, nil
}

// has reports whether a wanted term stands in any field.
func (m *match) has(i int) bool {
	for _, c := range m.counts {
		if c != nil && c[i] > 0 {
			return true
		}
	}
	return false
}

// share is the weight of the query's words that the document has.
func (m *match) share(wanted []term, idf []float64) float64 {
	sum := 0.0
	for i, t := range wanted {
		if t.form != word && m.has(i) {
			sum += idf[i]
		}
	}
	return sum
}

// parts are the shares of the score, and their sum.
func (m *match) parts(wanted []term, idf []float64) (parts []Part, sum float64) {
	content, tags, speaker := m.counts[fieldContent], m.counts[fieldTags], m.counts[fieldSpeaker]
	for _, p := range [...]Part{
		{PartWords, WeightWords * bm25(content, wanted, idf, true)},
		{PartStems, WeightStems * bm25(content, wanted, idf, false)},
		{PartTags, WeightTags * (WeightWords*bm25(tags, wanted, idf, true) + WeightStems*bm25(tags, wanted, idf, false))},
		{PartSpeaker, WeightSpeaker * (WeightWords*bm25(speaker, wanted, idf, true) + WeightStems*bm25(speaker, wanted, idf, false))},
	} {
		if p.Score > 0 {
			parts = append(parts, p)
			sum += p.Score
		}
	}
	return parts, sum
}

// bm25 is the score of one field: of the words as they are, or of the rest.
func bm25(counts []int32, wanted []term, idf []float64, words bool) float64 {
	sum := 0.0
	for i, tf := range counts {
		if tf > 0 && (wanted[i].form == word) == words {
			sum += idf[i] * float64(tf) * (K1 + 1) / (float64(tf) + K1)
		}
	}
	return sum
}

// rarity is what a term weighs that df of n documents have; above 0.
func rarity(n int, df int32) float64 {
	n = max(n, Few)
	return math.Log(1 + (float64(n)-float64(df)+0.5)/(float64(df)+0.5))
}
