package segment

import (
	"bytes"
	"cmp"
	"slices"

	"ken/internal/index"
)

// A Part is a segment that is merged, without its deleted documents.
type Part struct {
	*Segment
	Deleted Deleted
	// File gives a file of the segment the number that it has in the merged one;
	// nil: the same.
	File func(uint32) uint32
}

// Merge makes one segment of what lives in parts, as Builder.WriteFile would. No
// text is read. The documents stand in the order of the parts, except that the
// turns of a conversation that several parts have stand together, where the first
// of them does. With no parts the segment is empty.
func Merge(path string, meta []byte, parts ...Part) error {
	return MergeWith(path, func(func(part int, doc int32) int32) ([]byte, error) { return meta, nil }, parts...)
}

// MergeWith is Merge for who says in meta where documents stand: number is the new
// number of a document of a part, -1 if it is deleted.
func MergeWith(path string, metaOf func(number func(part int, doc int32) int32) ([]byte, error), parts ...Part) error {
	m := merging{parts: parts}
	if err := m.arrange(); err != nil {
		return err
	}
	meta, err := metaOf(func(part int, doc int32) int32 { return m.to[part][doc] })
	if err != nil {
		return err
	}
	locators, err := m.locators()
	if err != nil {
		return err
	}
	return writeFile(path, &content{len(m.rows), encodeRows(m.rows), m.names.names, locators, meta, m.addTerms})
}

// merging is a merge under way.
type merging struct {
	parts []Part
	rows  []index.Row // of what lives, in order
	names naming
	from  []source  // by document: where it comes from
	to    [][]int32 // by part and document: its number, -1 if it is deleted
}

type source struct{ part, doc int32 }

// arrange gives the documents that live their new order, rows and numbers.
func (m *merging) arrange() error {
	corpora := make([]*index.Corpus, len(m.parts))
	var rows [][]index.Row // by part
	type placed struct {
		at, doc source // where it would stand by itself, and it
	}
	var all []placed
	first := make(map[string]source) // by conversation: its first turn
	for p, part := range m.parts {
		c, err := part.Corpus(part.Deleted, nil)
		if err != nil {
			return err
		}
		corpora[p] = c
		list, err := c.Rows.All()
		if err != nil {
			return err
		}
		rows = append(rows, list)
		m.to = append(m.to, slices.Repeat([]int32{-1}, len(list)))
		for doc := range list {
			row := &list[doc]
			if row.Flags&index.Deleted != 0 {
				continue
			}
			self := source{int32(p), int32(doc)}
			at := self
			if row.Session >= 0 {
				name := c.Names[row.Session]
				began, ok := first[name]
				if !ok {
					began = self
					first[name] = self
				}
				at = began
			}
			all = append(all, placed{at, self})
		}
	}
	slices.SortStableFunc(all, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.at.part, b.at.part), cmp.Compare(a.at.doc, b.at.doc))
	})
	for _, d := range all {
		c := corpora[d.doc.part]
		row := rows[d.doc.part][d.doc.doc]
		// In the order of Document.Row.
		for _, n := range []*int32{&row.Kind, &row.Scope, &row.Session, &row.Speaker} {
			if *n >= 0 {
				*n = m.names.number(c.Names[*n])
			}
		}
		m.to[d.doc.part][d.doc.doc] = int32(len(m.rows))
		m.rows = append(m.rows, row)
		m.from = append(m.from, d.doc)
	}
	return nil
}

// locators gathers where the texts stand.
func (m *merging) locators() (*locatorWriter, error) {
	all := make([]Locator, len(m.rows))
	for p, part := range m.parts {
		doc := 0
		for l, err := range part.Locators() {
			if err != nil {
				return nil, err
			}
			if to := m.to[p][doc]; to >= 0 {
				for i := range l.Lines {
					if part.File != nil {
						l.Lines[i].File = part.File(l.Lines[i].File)
					}
				}
				all[to] = l
			}
			doc++
		}
	}
	w := new(locatorWriter)
	for _, l := range all {
		if err := w.add(l); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// A walk goes through the terms of a part.
type walk struct {
	s     *Segment
	to    []int32
	block int // the next one
	termCursor
	entry entry
	done  bool
}

// next goes to the next term.
func (w *walk) next() error {
	return w.s.use(func() error {
		for {
			var ok bool
			if w.entry, ok = w.termCursor.entry(); ok {
				// What is mapped is looked at in use only.
				w.entry.inline = bytes.Clone(w.entry.inline[:min(len(w.entry.inline), maxPosting)])
				return nil
			}
			if w.bad {
				return w.s.corrupt("a block of terms")
			}
			if w.done = w.block >= w.s.blocks(secTermBlocks); w.done {
				return nil
			}
			block, err := w.s.block(secTerms, secTermBlocks, w.block)
			if err != nil {
				return err
			}
			w.block++
			w.begin(block, w.s.docs)
		}
	})
}

// maxPosting is more than a posting takes: 5 varints and a byte.
const maxPosting = 32

// addTerms adds the terms of all parts with what lives of their lists.
func (m *merging) addTerms(w *dictionaryWriter) error {
	var walks []*walk
	for p, part := range m.parts {
		one := &walk{s: part.Segment, to: m.to[p]}
		if err := one.next(); err != nil {
			return err
		}
		walks = append(walks, one)
	}
	var key []byte
	var list, merged []index.Posting
	var encoded []byte
	for {
		walks = slices.DeleteFunc(walks, func(w *walk) bool { return w.done })
		if len(walks) == 0 {
			return nil
		}
		key = append(key[:0], walks[0].key...)
		for _, one := range walks[1:] {
			if bytes.Compare(one.key, key) < 0 {
				key = append(key[:0], one.key...)
			}
		}
		merged = merged[:0]
		for _, one := range walks {
			if !bytes.Equal(one.key, key) {
				continue
			}
			var err error
			if list, err = one.postings(list[:0]); err != nil {
				return err
			}
			for _, p := range list {
				if p.Doc = one.to[p.Doc]; p.Doc >= 0 {
					merged = append(merged, p)
				}
			}
			if err := one.next(); err != nil {
				return err
			}
		}
		if len(merged) == 0 {
			continue
		}
		if byDoc := func(a, b index.Posting) int { return cmp.Compare(a.Doc, b.Doc) }; !slices.IsSortedFunc(merged, byDoc) {
			slices.SortFunc(merged, byDoc)
		}
		encoded = encoded[:0]
		last := int32(-1)
		for _, p := range merged {
			encoded = appendPosting(encoded, last, p)
			last = p.Doc
		}
		if err := w.add(key, len(merged), encoded); err != nil {
			return err
		}
	}
}

// postings appends the list of the term where the walk is.
func (w *walk) postings(list []index.Posting) (longer []index.Posting, err error) {
	err = w.s.use(func() error {
		longer, err = w.s.postings(list, w.entry)
		return err
	})
	return longer, err
}
