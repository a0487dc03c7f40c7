package live

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sort"
	"strconv"
	"time"

	"ken/internal/index"
	"ken/internal/index/segment"
	"ken/internal/memory"
	"ken/internal/text"
)

// indexed gives the memory from its segment; nil if that is not what the files
// say now.
func (s *Index) indexed(ctx context.Context) *Memory {
	if s.o.Dir == "" {
		return nil
	}
	seg, err := s.open(s.memoryPath())
	if err != nil {
		return nil
	}
	var meta memoryMeta
	if text, err := seg.Meta(); err != nil || json.Unmarshal(text, &meta) != nil {
		return nil
	}
	tail, ok := s.good(ctx, &meta)
	if !ok {
		return nil
	}
	later, ok := readTail(&meta, tail)
	if !ok {
		return nil
	}
	m, err := s.assemble(seg, &meta, later)
	if err != nil {
		return nil
	}
	if len(tail) > maxTail/4 {
		s.mu.Lock()
		s.memoryOld = true
		s.mu.Unlock()
	}
	return m
}

// assemble makes the memory of a segment and of what came later.
func (s *Index) assemble(seg *segment.Segment, meta *memoryMeta, later tailState) (*Memory, error) {
	problems, err := meta.problems()
	if err != nil {
		return nil, err
	}
	m := &Memory{Own: meta.Own, Problems: problems, paths: make(map[string]string, len(meta.Logs))}
	for i, l := range meta.Logs {
		m.paths[l.Name] = l.Path
		if i == 0 {
			m.paths[meta.Own] = l.Path
		}
	}
	read := &lines{meta: meta}
	hidden := memory.Hidden{Turns: make(map[memory.Turn]bool), Sessions: make(map[string]bool)}
	for _, t := range meta.Turns {
		hidden.Turns[t] = true
	}
	for _, id := range meta.Hidden {
		hidden.Sessions[id] = true
	}
	again := make(map[string]bool, len(later.items)) // what was forgotten and is stated again hides nothing
	for i := range later.items {
		again[text.Normal(later.items[i].Record.Content)] = true
	}
	var texts []string
	for _, places := range meta.Forgotten {
		// Without the line that made it so it is not forgotten.
		it, err := read.itemIn(places, memory.StatusActive, memory.StatusWaiting)
		if err != nil {
			return nil, err
		}
		if !again[text.Normal(it.Record.Content)] {
			texts = append(texts, it.Record.Content)
		}
	}
	gone := slices.Clone(later.gone)
	var deleted segment.Deleted
	if len(later.forgotten) > 0 {
		wanted := make(map[string]bool)
		for _, id := range later.forgotten {
			wanted[id.String()] = true
		}
		doc := int32(-1)
		for l, err := range seg.Locators() {
			if err != nil {
				return nil, err
			}
			if doc++; !wanted[l.Ref] {
				continue
			}
			it, err := read.item(placesOf(l))
			if err == nil && (it.Edited || it.Record.Key != "" || len(it.Record.Details().Supersedes) > 0) {
				err = index.ErrChanged // what it stood in place of goes along, and what it said before
			}
			if err != nil {
				return nil, err
			}
			gone = append(gone, it)
			deleted.Add(doc)
		}
		if len(gone) != len(later.gone)+len(later.forgotten) {
			return nil, index.ErrChanged // something else was forgotten than an item that is true
		}
	}
	if len(later.items) > 0 {
		m.add(len(later.items), func(n int) memory.Item { return later.items[n] })
	}
	c, err := seg.Corpus(deleted, nil)
	if err != nil {
		return nil, err
	}
	if !meta.follow(later.items, c.Rows) {
		return nil, index.ErrChanged
	}
	item := func(doc int32) (memory.Item, error) {
		l, err := seg.Locator(doc)
		if err != nil {
			return memory.Item{}, err
		}
		it, err := read.item(placesOf(l))
		if at := c.Rows.At(doc).Time; err == nil && it.Record.Time.IsZero() && at != index.NoTime {
			rec := *it.Record
			rec.Time = time.Unix(at, 0).UTC()
			it.Record = &rec
		}
		return it, err
	}
	c.Reader = itemReader{c.Reader, item}
	find := finder(0, func(yield func(string)) {
		for l, err := range seg.Locators() {
			if err != nil {
				return // the fault is reported when something is read
			}
			yield(l.Ref)
		}
	})
	if meta.Falling {
		find = func(ref string) (int32, bool) { return search(seg, ref) }
	}
	m.find = append(m.find, find)
	m.Corpora = append(m.Corpora, c)
	m.items = append(m.items, item)
	for _, it := range gone {
		if src := it.Record.Source; src != nil && src.Turn > 0 {
			hidden.Turns[memory.Turn{Session: src.Session, N: src.Turn}] = true
		}
		if n := text.Normal(it.Record.Content); longEnough(n) {
			said, err := m.says(it.Record.Content, n)
			if err != nil {
				return nil, err
			}
			if !said && meta.Beside {
				return nil, index.ErrChanged // an item that is true at another time may say it
			}
			if !said {
				texts = append(texts, it.Record.Content)
			}
		}
	}
	m.Forgotten = newForgotten(hidden, texts)
	return m, nil
}

// search finds a reference in a segment of falling numbers.
func search(seg *segment.Segment, ref string) (int32, bool) {
	n, err := strconv.ParseInt(ref, 10, 64)
	if err != nil {
		return 0, false
	}
	doc := sort.Search(seg.Docs(), func(i int) bool {
		l, err := seg.Locator(int32(i))
		at, _ := strconv.ParseInt(l.Ref, 10, 64)
		return err != nil || at <= n
	})
	if doc == seg.Docs() {
		return 0, false
	}
	l, err := seg.Locator(int32(doc))
	return int32(doc), err == nil && l.Ref == ref
}

// says reports whether an active item says that text, whose normal form is given.
func (m *Memory) says(said, normal string) (bool, error) {
	terms := index.Terms(said)
	for _, c := range m.Corpora {
		docs, err := withAll(c, terms)
		if err != nil {
			return false, err
		}
		for _, doc := range docs {
			d, err := c.Document(doc)
			if err != nil {
				return false, err
			}
			if text.Normal(d.Content) == normal {
				return true, nil
			}
		}
	}
	return false, nil
}

// withAll are the documents of a corpus that have all of the terms, and are there.
func withAll(c *index.Corpus, terms []index.Term) ([]int32, error) {
	var docs map[int32]bool
	for _, t := range terms {
		list, err := c.AppendPostings(nil, t)
		if err != nil {
			return nil, err
		}
		both := make(map[int32]bool, len(list))
		for _, p := range list {
			if (docs == nil || docs[p.Doc]) && !c.Rows.Deleted(p.Doc) {
				both[p.Doc] = true
			}
		}
		docs = both
		if len(docs) == 0 {
			break
		}
	}
	return slices.Sorted(maps.Keys(docs)), nil
}

// An itemReader reads items of a segment.
type itemReader struct {
	index.Reader
	item func(doc int32) (memory.Item, error)
}

// Document implements index.Reader.
func (r itemReader) Document(doc int32) (*index.Document, error) {
	it, err := r.item(doc)
	if err != nil {
		return nil, err
	}
	d := index.Item(&it)
	return &d, nil
}

// placesOf are the lines of a document of the memory.
func placesOf(l segment.Locator) []lineRef {
	var list []lineRef
	for _, at := range l.Lines {
		list = append(list, lineRef{Log: int(at.File), Offset: at.Offset, Len: int64(at.Length), Sum: at.Sum})
	}
	return list
}
