package recall

import (
	"cmp"
	"math"
	"slices"

	"ken/internal/index"
)

// The parameters of a fusion. They were set by hand, to three rules: a model that
// knows nothing changes nothing; what has twice the words of another stays before
// it, whatever they mean; and nothing near is still an answer.
const (
	// shareEmbeddings is the most that nearness adds: to the nearest document, as a share
	// of the best score.
	shareEmbeddings = 0.5
	// halfEmbeddings is after how many documents, by nearness, it adds half of that.
	halfEmbeddings = 10
	// archivedEmbeddings is what that of an archived item is multiplied by.
	archivedEmbeddings = 0.3
	// mostNearest is how many documents count as near.
	mostNearest = 20
	// Vouchers is how many of the best hits are asked whether the model agrees with
	// the words, and agreement what they have to come to: in standard
	// deviations of the mean of as many documents that have nothing to do with the
	// question.
	Vouchers  = 5
	agreement = 3.0
	// nearVouched and nearAlone are how many standard deviations above the
	// usual a document has to be to be near: where the words vouch for the
	// model, and beyond the largest of as many chances where nothing does.
	nearVouched = 2.5
	nearAlone   = 1.5
	// nearShare is besides the least part of the way from the usual likeness to
	// equality: some models find everything alike.
	nearShare = 0.3
	// nearerRelated is by how many standard deviations hits with related words have
	// to be nearer than those without.
	nearerRelated = 1
	// fewEmbedded is below how many documents nothing is near that no words vouch for:
	// what is usual is not known.
	fewEmbedded = 8
	// leastSpread is the least standard deviation that is believed.
	leastSpread = 0.02
)

// A Neighbour is a document whose vector is near that of a question.
type Neighbour struct {
	*index.Document
	Cosine float64 // -1 to 1
}

// Embeddings says how near the vectors of documents are to that of a question, of all
// documents that have one.
type Embeddings struct {
	// Nearest are the documents most like the question, best first, that may be hits:
	// those that words found and others.
	Nearest []Neighbour
	// Of returns the cosine of a hit; not ok where it has no vector.
	Of func(h *Hit) (cosine float64, ok bool)
	// Count is how many documents have a vector, Median the median of their cosines,
	// Spread the median distance from it.
	Count          int
	Median, Spread float64
}

// Fuse adds to the hits of a search what is near in meaning, as the part
// partMeaning by the rank of nearness, and gives the best k; all if k is 0 or less.
//
// The words vouch for the model: if it does not find their best hits nearer than
// others, nothing is added. Where no hit is known to the model, what is near comes
// behind all hits; where there is no hit, what is near beyond chance is the
// answer. Hits must not be changed afterwards.
func Fuse(hits []Hit, m Embeddings, k int) []Hit {
	fused := slices.Clone(hits)
	if near, most := m.near(hits); len(near) > 0 {
		at := make(map[string]int, len(hits))
		for i := range hits {
			at[hits[i].Ref] = i
		}
		for rank, d := range near {
			part := Part{Name: partMeaning, Score: most * halfEmbeddings / float64(halfEmbeddings+rank)}
			if d.Archived && !d.Pinned {
				part.Score *= archivedEmbeddings
			}
			i, found := at[d.Ref]
			if !found {
				fused = append(fused, Hit{Document: d.Document, Score: part.Score, Parts: []Part{part}})
				continue
			}
			fused[i].Parts = append(slices.Clone(fused[i].Parts), part)
			fused[i].Score += part.Score
		}
		slices.SortStableFunc(fused, func(x, y Hit) int { return cmp.Compare(y.Score, x.Score) })
	}
	if k > 0 && len(fused) > k {
		fused = fused[:k]
	}
	return fused
}

// agrees reports whether the model finds those of the best hits that have a word
// that goes with one of the question nearer than the others. A model that does
// not knows less of words than the lexicon, and would undo what that found.
func (m *Embeddings) agrees(hits []Hit, spread float64) bool {
	var sum, n [2]float64 // without such a word, and with
	for i := range hits[:min(len(hits), Vouchers)] {
		like, ok := m.Of(&hits[i])
		if !ok {
			continue
		}
		with := 0
		if slices.ContainsFunc(hits[i].Parts, func(p Part) bool { return p.Name == partRelated }) {
			with = 1
		}
		sum[with] += like
		n[with]++
	}
	return n[0] == 0 || n[1] == 0 || sum[1]/n[1] >= sum[0]/n[0]+nearerRelated*spread
}

// near are the documents that are near, the nearest first, and what the first is
// worth.
func (m *Embeddings) near(hits []Hit) (near []Neighbour, most float64) {
	if m.Count == 0 {
		return nil, 0
	}
	spread := max(1.4826*m.Spread, leastSpread) // of a normal distribution
	known, sum := 0, 0.0
	for i := range hits {
		if known == Vouchers {
			break
		}
		if like, ok := m.Of(&hits[i]); ok {
			known++
			sum += (like - m.Median) / spread
		}
	}
	floor := math.Sqrt(2*math.Log(float64(max(m.Count, 2)))) + nearAlone
	switch {
	case known > 0 && (sum/math.Sqrt(float64(known)) < agreement || !m.agrees(hits, spread)), known == 0 && m.Count < fewEmbedded:
		return nil, 0
	case known > 0:
		floor, most = nearVouched, shareEmbeddings*unordered(hits[0].Score, hits[0].Parts)
	case len(hits) > 0:
		last := &hits[len(hits)-1]
		most = shareEmbeddings * max(unordered(last.Score, last.Parts), 1e-6*hits[0].Score)
	default:
		most = shareEmbeddings
	}
	for _, d := range m.Nearest {
		above := d.Cosine - m.Median
		if len(near) < mostNearest && above >= floor*spread && above >= nearShare*(1-m.Median) {
			near = append(near, d)
		}
	}
	slices.SortStableFunc(near, func(x, y Neighbour) int { return cmp.Compare(y.Cosine, x.Cosine) })
	return near, most
}
