package index

import "strings"

// A Counter reads the words of many documents, each spelling of a word once. It
// is not safe for concurrent use.
type Counter struct {
	terms   []Term
	numbers map[Term]int32 // of terms
	chunks  map[string]chunk
}

// A chunk is what is known of one: the numbers of its terms, with those that it has
// twice standing twice, and how many words it counts as.
type chunk struct {
	terms []int32
	words int32
}

// NewCounter returns a Counter that has read nothing.
func NewCounter() *Counter {
	return &Counter{numbers: make(map[Term]int32), chunks: make(map[string]chunk)}
}

// Read calls yield for each time that a term stands in a field of d, with the
// number of the term, and returns how many words the content has.
func (c *Counter) Read(d *Document, yield func(term int32, f Field)) (words int32) {
	for f := range Fields {
		d.field(f, func(text string) {
			chunks(text, func(s string) {
				known, ok := c.chunks[s]
				if !ok {
					known = c.read(strings.Clone(s)) // not all of the text with it
				}
				for _, t := range known.terms {
					yield(t, f)
				}
				if f == FieldContent {
					words += known.words
				}
			})
		})
	}
	return words
}

func (c *Counter) read(s string) chunk {
	list := terms(s)
	k := chunk{terms: make([]int32, len(list)), words: wordsIn(list)}
	for i, t := range list {
		n, ok := c.numbers[t]
		if !ok {
			n = int32(len(c.terms))
			c.numbers[t] = n
			c.terms = append(c.terms, t)
		}
		k.terms[i] = n
	}
	c.chunks[s] = k
	return k
}

// Terms are the terms that were read, by their numbers.
func (c *Counter) Terms() []Term { return c.terms }
