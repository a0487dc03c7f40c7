package recall

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"ken/internal/index"
)

// A Question says what to look for.
type Question struct {
	Text string
	// K is the most hits that are wanted; 0 or less: all.
	K int
	// Keep reports whether a document may be a hit; nil keeps every one. A document that is left
	// out still counts for how rare a word is.
	Keep func(c *index.Corpus, r *index.Row) bool
	// At is the time of the question: it dates "last week" and the age of items. With the zero time
	// neither counts.
	At time.Time
	// Holds reports whether a scope other than that of the user applies where the person stands. If
	// it is nil, the scope does not count.
	Holds func(scope string) bool
	// LastUse returns when an item was last used, by its reference; the zero time means never. If
	// it is nil, use does not count.
	LastUse func(ref string) time.Time
	// Used reports whether LastUse may know a time for a document, so that other documents are not
	// read for it. nil means that it may for each.
	Used func(corpus int, doc int32) bool
	// Weights are the weights of the parts; nil means DefaultWeights.
	Weights *Weights
}

// A Hit is a document that was found.
type Hit struct {
	*index.Document // must not be changed
	// Score is the sum of Parts, from the first to the last.
	Score float64
	Parts []Part // those that are not 0
}

// A Part is a share of a score.
type Part struct {
	Name  PartName
	Score float64 // below 0 for what counts against a document
}

// Search returns the documents of the corpora that a question is about, best first. Of equal ones
// the newer comes first, then the order of the corpora and of their documents decides. No hit is a
// normal answer. How rare a word is counts over all corpora. The turns of one conversation must be
// in one corpus.
//
// A document that changed since it was indexed is left out, and the error wraps index.ErrChanged.
// The other hits are returned beside it, and may be fewer than K. Any other error is that of ctx or
// of reading, and there are no hits.
func Search(ctx context.Context, corpora []*index.Corpus, q Question) ([]Hit, error) {
	wanted := index.Terms(q.Text)
	if len(wanted) == 0 {
		return nil, ctx.Err()
	}
	if q.Weights == nil {
		q.Weights = DefaultWeights()
	}
	s, ok := scratches().Get().(*scratch)
	if !ok {
		s = newScratch()
	}
	defer scratches().Put(s)
	if err := s.read(ctx, corpora, wanted); err != nil {
		return nil, err
	}
	s.gather()
	r := ranking{scratch: s, q: &q, asked: readAsked(q.Text, q.At)}
	r.speakers()
	r.identifiers()
	found, err := r.best()
	if err != nil {
		return nil, err
	}
	hits, err := r.take(found)
	for _, c := range corpora {
		if unread := c.Rows.Err(); unread != nil {
			return nil, unread
		}
	}
	return hits, err
}

// Prepare announces a question to the corpora, for a caller that asks them something else first.
// Where texts are read for words, they are then read once.
func Prepare(corpora []*index.Corpus, question string) {
	s := scratch{wanted: index.Terms(question)}
	s.look()
	for _, c := range corpora {
		c.Prepare(s.terms())
	}
}

// A match is a document that may be a hit.
type match struct {
	corpus, doc int32
	ordinal     int32 // among all documents
	at          int32 // where its sums are
	span        int   // the span of its corpus
	time        int64
	score       float64
	share       float64 // what the words of an item are worth, else 0
	used        float64 // how lately it was, from 0 to 1
}

// before orders the hits.
func (c *match) before(o *match) int {
	return cmp.Or(cmp.Compare(o.score, c.score), cmp.Compare(o.time, c.time), cmp.Compare(c.corpus, o.corpus), cmp.Compare(c.doc, o.doc))
}

// best are the candidates that come first.
func (r *ranking) best() ([]match, error) {
	turns := r.turnsFloor()
	// Who asks for one word wants to see it; only a question is answered by what
	// stands beside its words.
	r.keyword = r.meant == 1
	k := r.q.K
	most := r.q.Weights[use] // that use may add to an item
	if r.q.LastUse == nil || r.q.At.IsZero() {
		most = 0
	}
	var top, more []match // more: what use may lift
	for n, c := range r.corpora {
		span := 0
		var room index.Row
		r.ordinals(c, func(ordinal, at int32) bool {
			span = c.order.Span(ordinal-c.first, span)
			least := leastShare * r.whole
			if c.order.Spans[span].Turns {
				least = turns
			}
			if s := &r.sums[at]; float64(s.wide) < least || s.wide == 0 || r.keyword && s.cover == 0 && r.marks[at]&isNamed == 0 {
				return true
			}
			doc := c.order.Doc(ordinal - c.first)
			row := r.row(c, doc, at, span, &room)
			f := match{corpus: int32(n), doc: doc, ordinal: ordinal, at: at, span: span, time: row.Time}
			f.score = r.score(&f, nil)
			full := k > 0 && len(top) == k
			late := full && f.before(&top[k-1]) > 0
			if late && (most <= 0 || !r.q.mayBeUsed(&f) || f.share <= 0 || f.score+most*f.share < top[k-1].score) || r.q.Keep != nil && !r.q.Keep(c.Corpus, row) {
				return true
			}
			if late {
				more = append(more, f)
				return true
			}
			if k <= 0 || k > 1000 {
				top = append(top, f)
				return true
			}
			if full {
				if most > 0 && r.q.mayBeUsed(&top[k-1]) {
					more = append(more, top[k-1])
				}
				top = top[:k-1]
			}
			i, _ := slices.BinarySearchFunc(top, f, func(a, b match) int { return a.before(&b) })
			top = slices.Insert(top, i, f)
			return true
		})
	}
	if most > 0 {
		if err := r.used(&top, more); err != nil {
			return nil, err
		}
	}
	if k <= 0 || k > 1000 || most > 0 {
		slices.SortFunc(top, func(a, b match) int { return a.before(&b) })
	}
	if k > 0 {
		top = top[:min(k, len(top))]
	}
	return top, nil
}

// used counts the use of the items, and adds those that it may lift.
func (r *ranking) used(top *[]match, more []match) error {
	if len(more) > 0 {
		least := (*top)[len(*top)-1].score
		for _, f := range more {
			if f.score+r.q.Weights[use]*f.share >= least {
				*top = append(*top, f)
			}
		}
	}
	for i := range *top {
		f := &(*top)[i]
		if f.share <= 0 || !r.q.mayBeUsed(f) {
			continue
		}
		d, err := r.corpora[f.corpus].Document(f.doc)
		if errors.Is(err, index.ErrChanged) {
			continue // reported when it is taken
		}
		if err != nil {
			return err
		}
		if at := r.q.LastUse(d.Ref); !at.IsZero() {
			f.used = fading(r.q.At.Unix()-at.Unix(), useHalf)
			f.score = r.score(f, nil)
		}
	}
	return nil
}

func (q *Question) mayBeUsed(f *match) bool { return q.Used == nil || q.Used(int(f.corpus), f.doc) }

// take reads the documents of what was found.
func (r *ranking) take(found []match) ([]Hit, error) {
	var hits []Hit
	var changed error
	for i := range found {
		f := &found[i]
		d, err := r.corpora[f.corpus].Document(f.doc)
		if errors.Is(err, index.ErrChanged) {
			changed = err
			continue
		}
		if err != nil {
			return nil, err
		}
		var values [numParts]float64
		r.score(f, &values)
		h := Hit{Document: d, Score: f.score}
		for n, v := range values {
			if v != 0 {
				h.Parts = append(h.Parts, Part{parts[n], v})
			}
		}
		hits = append(hits, h)
	}
	return hits, changed
}
