package recall

import (
	"iter"
	"slices"
	"time"

	"ken/internal/index"
	"ken/internal/memory"
)

// Known gives the active items that are true now, one by one.
type Known struct {
	Corpora []*index.Corpus // each newest first
	// Item reads the item of a document of a corpus; Find finds it.
	Item func(corpus int, doc int32) (memory.Item, error)
	Find func(ref string) (corpus int, doc int32, ok bool)
	// Used has the references of the items for which Query.LastUse knows a time.
	Used []string
}

// BackgroundOf is Background for Known items. It reads no more of them than it has to, so an item
// that it never looked at is not among the Passed. The errors are those of Item.
func BackgroundOf(k Known, q Query) (Choice, error) {
	c := Choice{Budget: max(q.Tokens, 0)}
	fill := newFilling(&c, q)
	groups, archived := k.leading(q)
	c.Archived = archived
	for _, spots := range groups {
		c.Fit += len(spots)
	}
	for s := range each(groups) {
		it, err := k.Item(int(s.corpus), s.doc)
		if err != nil {
			return Choice{}, err
		}
		if r := q.refuses(&it); r != "" {
			c.Fit--
			c.Passed = append(c.Passed, Pass{&it, r})
			continue
		}
		if !fill.add(&it) {
			break
		}
	}
	fill.end()
	for _, corpus := range k.Corpora {
		if err := corpus.Rows.Err(); err != nil {
			return Choice{}, err
		}
	}
	return c, nil
}

// A spot is where a document is.
type spot struct{ corpus, doc int32 }

// each yields what is in the groups, one after the other.
func each(groups [][]spot) iter.Seq[spot] {
	return func(yield func(spot) bool) {
		for _, g := range groups {
			for _, s := range g {
				if !yield(s) {
					return
				}
			}
		}
	}
}

// leading gives the documents that may stand in the block, in groups, in the order in which
// Background takes them, and how many more hold there and are archived. It looks at every row
// there is, so it reads of it what it needs and keeps none.
func (k *Known) leading(q Query) (all [][]spot, archived int) {
	used := make(map[spot]time.Time)
	if q.LastUse != nil && q.Strategy != Recency {
		for _, ref := range k.Used {
			if c, doc, ok := k.Find(ref); ok {
				used[spot{int32(c), doc}] = q.LastUse(ref)
			}
		}
	}
	// By class, and in it those that were used apart from the others.
	var classes [classesOfItems][2][]spot
	class := make([]func(*index.Row) int, len(k.Corpora))
	for i, c := range k.Corpora {
		class[i] = q.classOf(c)
	}
	k.newest(func(s spot, r *index.Row) {
		n := class[s.corpus](r)
		wasUsed := false
		if n >= 0 && len(used) > 0 {
			_, wasUsed = used[s]
		}
		switch {
		case n == isArchived:
			archived++
		case n < 0:
		case q.Strategy == Recency:
			classes[0][0] = append(classes[0][0], s)
		case wasUsed:
			classes[n][0] = append(classes[n][0], s)
		default:
			classes[n][1] = append(classes[n][1], s)
		}
	})
	for _, c := range classes {
		slices.SortStableFunc(c[0], func(a, b spot) int { return used[b].Compare(used[a]) })
		all = append(all, c[0], c[1])
	}
	return all, archived
}

// newest yields all documents with when and where they stand, newest first; of two at
// the same time that of the earlier corpus.
func (k *Known) newest(yield func(spot, *index.Row)) {
	next := make([]func() (int32, *index.Row), len(k.Corpora))
	docs, rows := make([]int32, len(next)), make([]*index.Row, len(next)) // nil: behind the last one
	for i, c := range k.Corpora {
		next[i] = c.Rows.Cursor(true)
		docs[i], rows[i] = next[i]()
	}
	for {
		best := -1
		for i, r := range rows {
			if r != nil && (best < 0 || r.Time > rows[best].Time) {
				best = i
			}
		}
		if best < 0 {
			return
		}
		yield(spot{int32(best), docs[best]}, rows[best])
		docs[best], rows[best] = next[best]()
	}
}

// The classes of what may not stand in a block.
const (
	isElsewhere = -1
	isArchived  = -2
)

// classesOfItems is how many classes there are: by scope, kind and whether it is
// pinned.
const classesOfItems = 2 * 3 * 2

// classOf gives the class of a row, the most wanted one first: what rank sorts by
// before use and time. It is below 0 if the item may not stand in the block: isArchived
// if that is why, else isElsewhere.
func (q Query) classOf(c *index.Corpus) func(*index.Row) int {
	scopes, kinds := make([]int8, len(c.Names)), make([]int8, len(c.Names)) // 0: not known yet
	return func(r *index.Row) int {
		if r.Flags&(index.Turn|index.Command) != 0 || r.Scope < 0 || r.Kind < 0 {
			return isElsewhere
		}
		if scopes[r.Scope] == 0 {
			scope := memory.Scope(c.Names[r.Scope])
			it := memory.Item{Record: &memory.Record{Scope: scope}}
			scopes[r.Scope] = int8(1 + scopeRank(&it))
			if q.scopeReason(scope) != "" {
				scopes[r.Scope] = -1
			}
		}
		switch {
		case scopes[r.Scope] < 0:
			return isElsewhere
		case r.Flags&(index.Archived|index.Pinned) == index.Archived:
			return isArchived
		}
		if kinds[r.Kind] == 0 {
			kinds[r.Kind] = int8(1 + kindRank(memory.Kind(c.Names[r.Kind])))
		}
		n := (int(scopes[r.Scope])-1)*6 + (int(kinds[r.Kind])-1)*2
		if r.Flags&index.Pinned == 0 {
			n++
		}
		return n
	}
}
