package recall

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"ken/internal/index"
)

// A Question says what to look for.
type Question struct {
	Text string
	// K is the most hits that are wanted; 0 or less: all.
	K int
	// Keep reports whether a document may be a hit; nil: any. What it leaves out
	// still counts when it comes to how rare a word is.
	Keep func(c *index.Corpus, r *index.Row) bool
}

// A Hit is a document that was found.
type Hit struct {
	*index.Document // must not be changed
	// Score is the sum of Parts, from the first to the last; above 0.
	Score float64
	Parts []Part // those that are not 0
}

// A Part is a share of a score.
type Part struct {
	Name  PartName
	Score float64 // above 0
}

// A PartName says where a share of a score comes from.
type PartName string

// The parts, in the order in which a hit has them.
const (
	PartWords   PartName = "words"   // words of the query that stand in the text as they are, identifiers included
	PartStems   PartName = "stems"   // words of the text with the same stem
	PartTags    PartName = "tags"    // in tags and key
	PartSpeaker PartName = "speaker" // in the name of who spoke
)

// The parameters of a score.
const (
	// K1 is BM25's: how soon more of the same word adds no more. BM25's b, the
	// share of length normalisation, is 0.
	K1 = 0.9
	// Few is how many documents there are taken to be where there are fewer: a
	// dozen texts do not tell which words are rare.
	Few = 1000
	// WeightWords, WeightStems, WeightTags and WeightSpeaker are what the BM25
	// scores of the parts are multiplied by. In tags and speaker a stem counts
	// WeightStems, and an equal word WeightWords besides.
	WeightWords   = 0.3
	WeightStems   = 1.0
	WeightTags    = 1.5
	WeightSpeaker = 2.0
	// Floor is the least share of the weight (the rarity, summed up) of the
	// query's words that a document has to have to be a hit.
	Floor = 0.12
)

// Search returns the documents of the corpora that a question is about, best
// first; of equal ones the newer first, then in the order of the corpora and of
// their documents. None is an answer. How rare a word is counts over all corpora.
// What changed since it was indexed is left out, and told by an error that wraps
// index.ErrChanged, beside the other hits; any other error is that of ctx or of
// reading, and then there are no hits.
func Search(ctx context.Context, corpora []*index.Corpus, q Question) ([]Hit, error) {
	wanted := index.Terms(q.Text)
	if len(wanted) == 0 {
		return nil, ctx.Err()
	}
	postings, df, documents, err := read(ctx, corpora, wanted)
	if err != nil {
		return nil, err
	}
	idf := make([]float64, len(wanted))
	whole := 0.0 // the weight of the query
	for i, t := range wanted {
		idf[i] = rarity(documents, df[i])
		if t.Form != index.Word {
			whole += idf[i]
		}
	}
	var found []candidateHit
	for n, c := range corpora {
		for doc, e := range evidenceOf(c, wanted, postings[n], idf) {
			row := &c.Rows[doc]
			if e.share < Floor*whole || q.Keep != nil && !q.Keep(c, row) {
				continue
			}
			f := candidateHit{corpus: int32(n), doc: doc, time: row.Time}
			f.parts, f.score = e.parts()
			found = append(found, f)
		}
	}
	slices.SortFunc(found, func(a, b candidateHit) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.time, a.time), cmp.Compare(a.corpus, b.corpus), cmp.Compare(a.doc, b.doc))
	})
	return take(corpora, found, q.K)
}

// take reads the documents of the best k.
func take(corpora []*index.Corpus, found []candidateHit, k int) ([]Hit, error) {
	var hits []Hit
	var changed error
	for i := range found {
		if k > 0 && len(hits) == k {
			break
		}
		f := &found[i]
		d, err := corpora[f.corpus].Document(f.doc)
		if errors.Is(err, index.ErrChanged) {
			changed = err
			continue
		}
		if err != nil {
			return nil, err
		}
		hits = append(hits, Hit{d, f.score, f.parts})
	}
	return hits, changed
}

// A candidateHit is a document that may become a hit.
type candidateHit struct {
	corpus, doc int32
	time        int64
	score       float64
	parts       []Part
}

// read gives by corpus and by term where it stands, in how many documents of all
// corpora that are, and how many documents there are. What is gone does not
// count.
func read(ctx context.Context, corpora []*index.Corpus, wanted []index.Term) (postings [][][]index.Posting, df []int, documents int, err error) {
	df = make([]int, len(wanted))
	postings = make([][][]index.Posting, len(corpora))
	for n, c := range corpora {
		for i := range c.Rows {
			if c.Rows[i].Flags&index.Gone == 0 {
				documents++
			}
		}
		postings[n] = make([][]index.Posting, len(wanted))
		for i, t := range wanted {
			if err := ctx.Err(); err != nil {
				return nil, nil, 0, err
			}
			list, err := c.AppendPostings(nil, t)
			if err != nil {
				return nil, nil, 0, err
			}
			list = slices.DeleteFunc(list, func(p index.Posting) bool { return c.Rows[p.Doc].Flags&index.Gone != 0 })
			postings[n][i] = list
			df[i] += len(list)
		}
	}
	return postings, df, documents, nil
}

// evidence is what speaks for a document: the BM25 scores of its fields, by form
// of the words, and the weight of the words that it has.
type evidence struct {
	words, stems [index.Fields]float64
	share        float64
}

// evidenceOf gathers what speaks for each document of a corpus that has any of
// the wanted terms.
func evidenceOf(_ *index.Corpus, wanted []index.Term, postings [][]index.Posting, idf []float64) map[int32]*evidence {
	all := make(map[int32]*evidence)
	for i, t := range wanted {
		for _, p := range postings[i] {
			e := all[p.Doc]
			if e == nil {
				e = new(evidence)
				all[p.Doc] = e
			}
			for f, n := range p.Counts {
				if n == 0 {
					continue
				}
				tf := float64(n)
				score := idf[i] * tf * (K1 + 1) / (tf + K1)
				if t.Form == index.Word {
					e.words[f] += score
				} else {
					e.stems[f] += score
				}
			}
			if t.Form != index.Word {
				e.share += idf[i]
			}
		}
	}
	return all
}

// parts are the shares of the score, and their sum.
func (e *evidence) parts() (parts []Part, sum float64) {
	field := func(f index.Field) float64 { return WeightWords*e.words[f] + WeightStems*e.stems[f] }
	for _, p := range [...]Part{
		{PartWords, WeightWords * e.words[index.FieldContent]},
		{PartStems, WeightStems * e.stems[index.FieldContent]},
		{PartTags, WeightTags * field(index.FieldTags)},
		{PartSpeaker, WeightSpeaker * field(index.FieldSpeaker)},
	} {
		if p.Score > 0 {
			parts = append(parts, p)
			sum += p.Score
		}
	}
	return parts, sum
}

// rarity is what a term weighs that df of n documents have; above 0.
func rarity(n, df int) float64 {
	n = max(n, Few)
	return math.Log(1 + (float64(n)-float64(df)+0.5)/(float64(df)+0.5))
}
