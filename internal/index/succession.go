package index

// A Succession says which documents of a corpus follow each other: those that
// are not Gone, numbered from 0 in their order, and the conversations that they
// are of. Where the scope changes another one begins: what was said elsewhere says
// nothing of what was said here.
type Succession struct {
	Docs []int32 // by place: the document
	// Places are the places by document, -1 of one that is gone; nil if none is:
	// then each document is at its own number.
	Places []int32
	Runs   []int32 // by place: which conversation it is of
	// Starts are, by conversation, the place of its first turn; behind the last
	// stands the number of places. What is no turn is one of its own.
	Starts []int32
	// Sessions is how many of them have turns.
	Sessions int
}

// Succession is that of the corpus; it is made once.
func (c *Corpus) Succession() *Succession {
	c.order.Do(func() {
		s := &Succession{Docs: make([]int32, 0, len(c.Rows)), Runs: make([]int32, 0, len(c.Rows))}
		last, scope := int32(-1), int32(-1) // conversation and scope of the turn before
		for doc := range c.Rows {
			r := &c.Rows[doc]
			if r.Flags&Gone != 0 && s.Places == nil {
				s.Places = make([]int32, len(c.Rows))
				for i := range doc {
					s.Places[i] = int32(i)
				}
			}
			if r.Flags&Gone != 0 {
				s.Places[doc] = -1
				continue
			}
			if s.Places != nil {
				s.Places[doc] = int32(len(s.Docs))
			}
			of := int32(-1)
			if r.Flags&Turn != 0 {
				of = r.Session
			}
			if of < 0 || of != last || r.Scope != scope {
				s.Starts = append(s.Starts, int32(len(s.Docs)))
				if of >= 0 {
					s.Sessions++
				}
			}
			last, scope = of, r.Scope
			s.Docs = append(s.Docs, int32(doc))
			s.Runs = append(s.Runs, int32(len(s.Starts)-1))
		}
		s.Starts = append(s.Starts, int32(len(s.Docs)))
		c.succession = s
	})
	return c.succession
}

// Place is the place of a document; -1 if it is gone.
func (s *Succession) Place(doc int32) int32 {
	if s.Places == nil {
		return doc
	}
	return s.Places[doc]
}
