package index

import (
	"sort"
)

// A DocOrder says which documents of a corpus follow each other: the live ones, which
// have ordinals from 0 in their order, and the conversations they are of. A new span
// begins where the scope changes: what was said elsewhere says nothing of what was
// said here.
type DocOrder struct {
	// Count is the number of live documents. Ordinals is the number of ordinals: where
	// nothing follows anything, a deleted document has one as well.
	Count, Ordinals int
	// Sessions is the number of conversations.
	Sessions int
	// Spans are in the order of their ordinals: each is one conversation, or what
	// stands between two of them.
	Spans []Span

	deleted  *Rows   // to skip deleted documents; nil if no ordinal is that of one
	docs     []int32 // by ordinal: the document; nil if each has its own number
	ordinals []int32 // by document: the ordinal, -1 of a deleted one; nil as well
}

// A Span is a run of ordinals.
type Span struct {
	From, To int32 // To is behind it
	Turns    bool  // it is a conversation
}

// DocOrder returns the order of the documents; it is made once.
func (c *Corpus) DocOrder() *DocOrder {
	c.orderOnce.Do(func() { c.docOrder = c.newDocOrder() })
	return c.docOrder
}

func (c *Corpus) newDocOrder() *DocOrder {
	n := c.Rows.Len()
	s := &DocOrder{Count: c.Rows.Live(), Ordinals: n}
	if !c.Rows.Turns() {
		if s.Count < n {
			s.deleted = c.Rows
		}
		if n > 0 {
			s.Spans = []Span{{0, int32(n), false}}
		}
		return s
	}
	s.Ordinals = s.Count
	if s.Count < n {
		s.docs, s.ordinals = make([]int32, 0, s.Count), make([]int32, 0, n)
	}
	last, scope := int32(-1), int32(-1) // conversation and scope of the turn before
	ordinal := int32(0)
	next := c.Rows.Cursor(false)
	for doc, r := next(); r != nil; doc, r = next() {
		if s.ordinals != nil {
			for len(s.ordinals) < int(doc) {
				s.ordinals = append(s.ordinals, -1)
			}
			s.ordinals, s.docs = append(s.ordinals, ordinal), append(s.docs, doc)
		}
		turn, of := r.Flags&Turn != 0, int32(-1)
		if turn {
			of = r.Session
		}
		k := len(s.Spans) - 1
		same := k >= 0 && s.Spans[k].Turns == turn && (!turn || of >= 0 && of == last && r.Scope == scope)
		if !same {
			s.Spans = append(s.Spans, Span{From: ordinal, Turns: turn})
			k++
			if of >= 0 {
				s.Sessions++
			}
		}
		last, scope = of, r.Scope
		ordinal++
		s.Spans[k].To = ordinal
	}
	for s.ordinals != nil && len(s.ordinals) < n {
		s.ordinals = append(s.ordinals, -1)
	}
	return s
}

// Ordinal returns the ordinal of a document; -1 if it is deleted.
func (s *DocOrder) Ordinal(doc int32) int32 {
	if s.ordinals != nil {
		return s.ordinals[doc]
	}
	if s.deleted != nil && s.deleted.Deleted(doc) {
		return -1
	}
	return doc
}

// Doc returns the document of an ordinal.
func (s *DocOrder) Doc(ordinal int32) int32 {
	if s.docs != nil {
		return s.docs[ordinal]
	}
	return ordinal
}

// Whole reports whether no document is deleted.
func (s *DocOrder) Whole() bool { return s.ordinals == nil && s.deleted == nil }

// Span returns the number of the span of an ordinal. hint is that of a near one, best
// of one before it.
func (s *DocOrder) Span(ordinal int32, hint int) int {
	for k := hint; k < min(hint+4, len(s.Spans)); k++ {
		if s.Spans[k].From <= ordinal && ordinal < s.Spans[k].To {
			return k
		}
	}
	return sort.Search(len(s.Spans), func(k int) bool { return s.Spans[k].To > ordinal })
}
