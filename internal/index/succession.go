package index

import (
	"sort"
)

// A Succession says which documents of a corpus follow each other: those that
// are not Gone, numbered from 0 in their order, their places, and the conversations
// that they are of. Where the scope changes another one begins: what was said
// elsewhere says nothing of what was said here.
type Succession struct {
	// Count is how many documents there are. Places is how many places: where
	// nothing follows anything, what is gone has one as well.
	Count, Places int
	// Sessions is how many conversations there are.
	Sessions int
	// Runs are stretches of places, by ascending place: a conversation each, or what
	// is no turn between two of them.
	Runs []Run

	gone  *Rows   // to skip what is gone; nil if no place is that of such a document
	docs  []int32 // by place: the document; nil if each is at its own number
	place []int32 // by document: the place, -1 of one that is gone; nil as well
}

// A Run is a stretch of places.
type Run struct {
	From, To int32 // To is behind it
	Turns    bool  // it is a conversation
}

// Succession is that of the corpus; it is made once.
func (c *Corpus) Succession() *Succession {
	c.order.Do(func() { c.succession = c.succeed() })
	return c.succession
}

func (c *Corpus) succeed() *Succession {
	n := c.Rows.Len()
	s := &Succession{Count: c.Rows.There(), Places: n}
	if !c.Rows.Turns() {
		if s.Count < n {
			s.gone = c.Rows
		}
		if n > 0 {
			s.Runs = []Run{{0, int32(n), false}}
		}
		return s
	}
	s.Places = s.Count
	if s.Count < n {
		s.docs, s.place = make([]int32, 0, s.Count), make([]int32, 0, n)
	}
	last, scope := int32(-1), int32(-1) // conversation and scope of the turn before
	doc, place := int32(-1), int32(0)
	c.Rows.Each(func(r *Row) {
		doc++
		if c.Rows.Gone(doc) {
			s.place = append(s.place, -1)
			return
		}
		if s.place != nil {
			s.place, s.docs = append(s.place, place), append(s.docs, doc)
		}
		turn, of := r.Flags&Turn != 0, int32(-1)
		if turn {
			of = r.Session
		}
		k := len(s.Runs) - 1
		same := k >= 0 && s.Runs[k].Turns == turn && (!turn || of >= 0 && of == last && r.Scope == scope)
		if !same {
			s.Runs = append(s.Runs, Run{From: place, Turns: turn})
			k++
			if of >= 0 {
				s.Sessions++
			}
		}
		last, scope = of, r.Scope
		place++
		s.Runs[k].To = place
	})
	return s
}

// Place is the place of a document; -1 if it is gone.
func (s *Succession) Place(doc int32) int32 {
	if s.place != nil {
		return s.place[doc]
	}
	if s.gone != nil && s.gone.Gone(doc) {
		return -1
	}
	return doc
}

// Doc is the document at a place.
func (s *Succession) Doc(place int32) int32 {
	if s.docs != nil {
		return s.docs[place]
	}
	return place
}

// Whole reports whether no document is gone.
func (s *Succession) Whole() bool { return s.place == nil && s.gone == nil }

// Run is the number of the run of a place. hint is that of one that is near, best
// of one before it.
func (s *Succession) Run(place int32, hint int) int {
	for k := hint; k < min(hint+4, len(s.Runs)); k++ {
		if s.Runs[k].From <= place && place < s.Runs[k].To {
			return k
		}
	}
	return sort.Search(len(s.Runs), func(k int) bool { return s.Runs[k].To > place })
}
