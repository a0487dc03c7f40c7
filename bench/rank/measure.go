package rank

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// depth is how many hits are looked at. The first right one may come later than
// what is counted otherwise.
const depth = 100

// figures are the means over questions.
type figures struct {
	n                          int
	r5, r10, hit1, ndcg10, mrr float64 // sums
}

// add adds a question: the turns that were found, best first, and those that are
// right.
func (f *figures) add(found, right []string) {
	f.n++
	first := true
	dcg, ideal := 0.0, 0.0
	for rank, id := range found {
		if !slices.Contains(right, id) {
			continue
		}
		if first {
			f.mrr += 1 / float64(rank+1)
			first = false
		}
		if rank == 0 {
			f.hit1++
		}
		if rank < 5 {
			f.r5 += 1 / float64(len(right))
		}
		if rank < 10 {
			f.r10 += 1 / float64(len(right))
			dcg += 1 / math.Log2(float64(rank)+2)
		}
	}
	for i := range min(len(right), 10) {
		ideal += 1 / math.Log2(float64(i)+2)
	}
	f.ndcg10 += dcg / ideal
}

// tables are what is printed: lines, and rows of a name and figures.
type tables struct{ text strings.Builder }

func (b *tables) say(format string, args ...any) { fmt.Fprintf(&b.text, format, args...) }

// row writes figures behind a name, each with that form.
func (b *tables) row(name, form string, list ...float64) {
	b.say("%-22s", name)
	for _, x := range list {
		b.say(" %8s", fmt.Sprintf(form, x))
	}
	b.say("\n")
}

// means writes the figures as a row.
func (b *tables) means(name string, f *figures) {
	n := max(float64(f.n), 1)
	b.row(fmt.Sprintf("%-16s %5d", name, f.n), "%.3f", f.r5/n, f.r10/n, f.hit1/n, f.mrr/n, f.ndcg10/n)
}

// A finder answers a question with the ids of turns, best first. The scope is a
// conversation, "" all of them.
type finder func(q *question, scope string) []string

// table writes the figures of a finder by category and by conversation.
func (d *dataset) table(b *tables, find finder, pooled bool) {
	var all figures
	by := make(map[string]*figures)
	of := func(name string) *figures {
		if by[name] == nil {
			by[name] = new(figures)
		}
		return by[name]
	}
	for i := range d.questions {
		q := &d.questions[i]
		scope := q.Conv
		if pooled {
			scope = ""
		}
		found := find(q, scope)
		for _, f := range []*figures{&all, of(q.Category), of("in " + q.Conv)} {
			f.add(found, q.Evidence)
		}
	}
	b.say("%-16s %5s %8s %8s %8s %8s %8s\n", "questions", "n", "R@5", "R@10", "hit@1", "MRR", "nDCG@10")
	b.means("all", &all)
	for _, name := range slices.Sorted(maps.Keys(by)) {
		b.means(name, by[name])
	}
	b.say("\n")
}

// silence is the share of questions that find nothing in another conversation than
// their own, and in their own.
func (d *dataset) silence(find finder) (other, own float64) {
	asked, silent, mute := 0, 0, 0
	for i := range d.questions {
		q := &d.questions[i]
		for _, conv := range d.convs {
			nothing := len(find(q, conv)) == 0
			switch {
			case conv == q.Conv && nothing:
				mute++
			case conv != q.Conv:
				asked++
				if nothing {
					silent++
				}
			}
		}
	}
	return float64(silent) / float64(max(asked, 1)), float64(mute) / float64(len(d.questions))
}
