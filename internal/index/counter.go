package index

import (
	"strings"

	"ken/internal/text"
)

// Reading numbers how texts are read and what a Row says: two programs with the
// same number make the same rows and terms of a document. What was derived with
// another number is made anew.
const Reading = 3

// A Counter counts the terms of one document after the other. It remembers what
// the words are made of that it has read, so that those which come again, as
// nearly all do, cost little. The zero Counter is ready; it is for one goroutine.
type Counter struct {
	terms   []Term
	numbers map[Term]int32
	chunks  map[string]chunkTerms // what chunks are made of
	// found has, by term, its place in list; it counts only if list has the term
	// there, so that nothing has to be cleared between two documents.
	found []int32
	list  []Counted
}

// chunkTerms are the numbers of the terms of a chunk, one that it has twice
// twice, and how many words it counts as.
type chunkTerms struct {
	terms []int32
	words int32
}

// maxChunks is how many chunks a Counter remembers before it begins anew: more
// than the vocabulary of a life, and some 10 MB.
const maxChunks = 1 << 17

// Counted says how often each field of a document has a term.
type Counted struct {
	Term   int32 // as the Counter numbers it
	Counts [Fields]uint16
}

// Count counts the terms of d, each once, in no order, and how many words its
// content has. The list is valid until the next call.
func (c *Counter) Count(d *Document) (list []Counted, words int32) {
	c.list = c.list[:0]
	for f := range Fields {
		d.field(f, func(value string) {
			text.Chunks(value, func(chunk string) {
				known, ok := c.chunks[chunk]
				if !ok {
					known = c.learn(chunk)
				}
				for _, t := range known.terms {
					at := c.found[t]
					if int(at) >= len(c.list) || c.list[at].Term != t {
						at = int32(len(c.list))
						c.found[t] = at
						c.list = append(c.list, Counted{Term: t})
					}
					c.list[at].Counts[f] = plus(c.list[at].Counts[f])
				}
				if f == FieldContent {
					words += known.words
				}
			})
		})
	}
	return c.list, words
}

// Terms returns the terms that were counted so far, by their number. The list must
// not be changed.
func (c *Counter) Terms() []Term { return c.terms }

// learn reads a chunk and remembers it.
func (c *Counter) learn(chunk string) chunkTerms {
	if c.numbers == nil {
		c.numbers = make(map[Term]int32)
	}
	if c.chunks == nil || len(c.chunks) >= maxChunks {
		c.chunks = make(map[string]chunkTerms)
	}
	chunk = strings.Clone(chunk) // not all of the text with it
	list := terms(chunk)
	known := chunkTerms{make([]int32, len(list)), wordsIn(list)}
	for i, t := range list {
		n, ok := c.numbers[t]
		if !ok {
			n = int32(len(c.terms))
			t.Text = strings.Clone(t.Text)
			c.numbers[t] = n
			c.terms, c.found = append(c.terms, t), append(c.found, 0)
		}
		known.terms[i] = n
	}
	c.chunks[chunk] = known
	return known
}
