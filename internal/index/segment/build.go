package segment

import (
	"cmp"
	"errors"
	"slices"

	"ken/internal/index"
)

// A Builder makes a segment of documents. The zero Builder is empty and ready. It
// keeps what the file will hold, and none of the texts; it is for one goroutine.
type Builder struct {
	counter  index.Counter
	rows     []index.Row
	names    naming
	locators locatorWriter
	lists    []termList // by the numbers of the counter
	err      error      // of adding, kept for WriteFile
}

// A termList is the list of a term so far.
type termList struct {
	b    []byte
	n    int32 // documents
	last int32 // the last of them
}

// Add adds a document behind the others. The turns of one conversation have to
// follow each other in the order in which they were said. from says where its text
// stands; its Ref is d's. WriteFile returns what does not fit into a segment.
func (b *Builder) Add(d *index.Document, from Locator) {
	doc := int32(len(b.rows))
	list, words := b.counter.Count(d)
	for len(b.lists) < len(b.counter.Terms()) {
		b.lists = append(b.lists, termList{last: -1})
	}
	for _, c := range list {
		l := &b.lists[c.Term]
		l.b = appendPosting(l.b, l.last, index.Posting{Doc: doc, Counts: c.Counts})
		l.n, l.last = l.n+1, doc
	}
	b.rows = append(b.rows, d.Row(words, b.names.number))
	from.Ref = d.Ref
	b.err = errors.Join(b.err, b.locators.add(from))
}

// Docs returns the number of documents that were added.
func (b *Builder) Docs() int { return len(b.rows) }

// WriteFile writes the segment, with whatever meta the owner wants to find in it
// again, into a new file that takes the place of the one at path. It is made beside
// it, under a name that ends in ".tmp", with mode 0600, and not synced.
func (b *Builder) WriteFile(path string, meta []byte) error {
	if b.err != nil {
		return b.err
	}
	return writeFile(path, &content{len(b.rows), encodeRows(b.rows), b.names.names, &b.locators, meta, b.addTerms})
}

func (b *Builder) addTerms(w *dictionaryWriter) error {
	terms := b.counter.Terms()
	sorted := make([]int32, len(terms))
	for i := range sorted {
		sorted[i] = int32(i)
	}
	slices.SortFunc(sorted, func(x, y int32) int {
		return cmp.Or(cmp.Compare(terms[x].Form, terms[y].Form), cmp.Compare(terms[x].Text, terms[y].Text))
	})
	var key []byte
	for _, n := range sorted {
		key = appendKey(key[:0], terms[n])
		if err := w.add(key, int(b.lists[n].n), b.lists[n].b); err != nil {
			return err
		}
	}
	return nil
}

// A naming gives names their numbers.
type naming struct {
	names   []string
	numbers map[string]int32
}

func (n *naming) number(name string) int32 {
	i, ok := n.numbers[name]
	if !ok {
		if n.numbers == nil {
			n.numbers = make(map[string]int32)
		}
		i = int32(len(n.names))
		n.names = append(n.names, name)
		n.numbers[name] = i
	}
	return i
}
