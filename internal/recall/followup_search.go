package recall

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"ken/internal/index"
)

// beforeShare is what the score for the question before is worth beside that of this one.
const beforeShare = 0.5

// Search is Search for a question that goes on with f.Text: what that calls
// up has a part of it as PartBefore. Where the question does not refer to it,
// it has to call up something that the one before calls up as well, or nothing: else
// it is about something else.
func (f Follow) Search(ctx context.Context, corpora []*index.Corpus, q Question) ([]Hit, error) {
	var own []Hit
	var changed error
	if !f.Only {
		if own, changed = Search(ctx, corpora, q); changed != nil && !errors.Is(changed, index.ErrChanged) {
			return nil, changed
		}
	}
	before := q
	before.Text = f.Text
	old, err := Search(ctx, corpora, before)
	if err != nil {
		if changed = err; !errors.Is(err, index.ErrChanged) {
			return nil, err
		}
	}
	old = called(old, f.Text)
	if !f.Refers && !f.Only && !sameMatter(called(slices.Clone(own), q.Text), old) {
		return own, changed
	}
	at := make(map[string]int, len(own))
	for i := range own {
		at[own[i].Ref] = i
	}
	for _, h := range old {
		part := Part{Name: PartBefore, Score: beforeShare * h.Score}
		if i, ok := at[h.Ref]; ok {
			own[i].Parts = append(own[i].Parts, part)
			own[i].Score += part.Score
			continue
		}
		own = append(own, Hit{Document: h.Document, Score: part.Score, Parts: []Part{part}})
	}
	slices.SortStableFunc(own, func(x, y Hit) int { return cmp.Compare(y.Score, x.Score) })
	if q.K > 0 {
		own = own[:min(len(own), q.K)]
	}
	return own, changed
}

// called are the hits that have enough of a question to be called up by it.
func called(hits []Hit, text string) []Hit {
	least := leastCoverage(text)
	return slices.DeleteFunc(hits, func(h Hit) bool { return partOf(h.Parts, partCoverage) < least })
}

// sameMatter reports whether what a question calls up lets it be about what the one
// before called up.
func sameMatter(own, old []Hit) bool {
	refs := make(map[string]bool, len(old))
	for _, h := range old {
		refs[h.Ref] = true
	}
	return len(own) == 0 || slices.ContainsFunc(own, func(h Hit) bool { return refs[h.Ref] })
}
