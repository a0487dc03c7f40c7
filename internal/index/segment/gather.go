package segment

import (
	"cmp"
	"slices"

	"ken/internal/index"
)

// WriteScan writes the segment of the documents of a scan, as a Builder does to which
// they were added one by one, without reading their texts again. from says where the
// text of each document stands, in order; the Refs are those of the documents.
func WriteScan(path string, meta []byte, c *index.Corpus, s *index.Scan, from func(doc int32) (Locator, error)) error {
	docs := c.Rows.Len()
	columns, err := columnsIn(c) // and no rows any more, which take four times as much room
	if err != nil {
		return err
	}
	locators := new(locatorWriter)
	for doc := range int32(docs) {
		l, err := from(doc)
		if err != nil {
			return err
		}
		d, err := s.Document(doc)
		if err != nil {
			return err
		}
		l.Ref = d.Ref
		if err := locators.add(l); err != nil {
			return err
		}
	}
	return writeFile(path, &content{docs, columns, c.Names, locators, meta, func(w *dictionaryWriter) error {
		return addScanned(w, s)
	}})
}

// columnsIn is the section of the rows of c.
func columnsIn(c *index.Corpus) ([]byte, error) {
	rows, err := c.Rows.All()
	if err != nil {
		return nil, err
	}
	return encodeRows(rows), nil
}

// addScanned adds the terms of a scan.
func addScanned(w *dictionaryWriter, s *index.Scan) error {
	terms := s.Terms()
	slices.SortFunc(terms, func(a, b index.Term) int {
		return cmp.Or(cmp.Compare(a.Form, b.Form), cmp.Compare(a.Text, b.Text))
	})
	var key, encoded []byte
	var list []index.Posting
	for _, t := range terms {
		var err error
		if list, err = s.AppendPostings(list[:0], t); err != nil {
			return err
		}
		encoded = encoded[:0]
		last := int32(-1)
		for _, p := range list {
			encoded = appendPosting(encoded, last, p)
			last = p.Doc
		}
		key = appendKey(key[:0], t)
		if err := w.add(key, len(list), encoded); err != nil {
			return err
		}
	}
	return nil
}
