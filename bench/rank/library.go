package rank

import (
	"context"
	"fmt"
	"slices"

	"ken/internal/index"
	"ken/internal/recall"
)

// A library searches without the program around it, with weights of choice.
type library struct {
	of map[string]*index.Corpus // by conversation; "" is all
}

func newLibrary(d *dataset) (*library, error) {
	docs := make(map[string][]index.Document)
	for i := range d.turns {
		doc, err := d.turns[i].document()
		if err != nil {
			return nil, err
		}
		docs[doc.Scope] = append(docs[doc.Scope], doc)
		docs[""] = append(docs[""], doc)
	}
	l := &library{of: make(map[string]*index.Corpus)}
	for name, list := range docs {
		l.of[name] = index.NewScan(slices.Values(list))
	}
	return l, nil
}

// find gives a finder of these weights.
func (l *library) find(ctx context.Context, w *recall.Weights) finder {
	return func(q *question, scope string) []string {
		hits, err := recall.Search(ctx, []*index.Corpus{l.of[scope]}, recall.Question{Text: q.Text, K: depth, Weights: w})
		if err != nil {
			return nil // only of a ctx that has ended
		}
		list := make([]string, len(hits))
		for i, h := range hits {
			list[i] = h.Ref
		}
		return list
	}
}

// ablation writes what is lost without each part that turns can have.
func (d *dataset) ablation(ctx context.Context, b *tables, l *library) {
	whole := d.figures(l.find(ctx, nil))
	n := float64(whole.n)
	b.say("%-16s %5s %8s %8s %8s %8s %8s\n", "without", "of", "R@5", "R@10", "hit@1", "MRR", "nDCG@10")
	for i, name := range recall.Names() {
		weights := recall.DefaultWeights()
		was := weights[i]
		weights[i] = 0
		f := d.figures(l.find(ctx, weights))
		if f == whole {
			continue // no turn has it
		}
		b.row(fmt.Sprintf("%-16s %5.2f", name, was), "%+.3f",
			(f.r5-whole.r5)/n, (f.r10-whole.r10)/n, (f.hit1-whole.hit1)/n, (f.mrr-whole.mrr)/n, (f.ndcg10-whole.ndcg10)/n)
	}
}

// figures are those of all questions, each asked of its own conversation.
func (d *dataset) figures(find finder) (f figures) {
	for i := range d.questions {
		q := &d.questions[i]
		f.add(find(q, q.Conv), q.Evidence)
	}
	return f
}
