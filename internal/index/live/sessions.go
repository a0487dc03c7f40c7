package live

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ken/internal/index"
	"ken/internal/index/segment"
	"ken/internal/jsonl"
	"ken/internal/session"
)

// Conversations are what was said and what ran, as far as it can be found.
type Conversations struct {
	// Corpora hold the turns and the commands, those of one conversation in one
	// of them.
	Corpora []*index.Corpus
	// Warnings are of lines that could not be read, Faults of whole files.
	Warnings []string
	Faults   []error
}

// A part is a segment of conversations, and what of it still stands in its files.
type part struct {
	seq  int // of two that have a conversation, the later one counts
	path string
	seg  *segment.Segment
	meta saidMeta
	// By place in meta: whether it still stands in its file, and the
	// directory of that.
	live []bool
	dirs []*session.Dir

	headers headers

	forgotten Forgotten
	repeats   *lateHits
}

const saidPrefix, saidSuffix = "said-", ".seg"

// parts opens the segments of conversations, the latest first. What is no segment
// is passed over.
func (s *Index) parts() []*part {
	if s.o.Dir == "" {
		return nil
	}
	names, err := os.ReadDir(s.o.Dir)
	if err != nil {
		return nil
	}
	var parts []*part
	for _, n := range names {
		number, ok := strings.CutPrefix(strings.TrimSuffix(n.Name(), saidSuffix), saidPrefix)
		seq, err := strconv.Atoi(number)
		if !ok || err != nil || !strings.HasSuffix(n.Name(), saidSuffix) {
			continue
		}
		p := &part{seq: seq, path: filepath.Join(s.o.Dir, n.Name()), repeats: &s.repeats, headers: headers{clock: s.o.Clock}}
		if p.seg, err = s.open(p.path); err != nil {
			continue
		}
		text, err := p.seg.Meta()
		if err != nil {
			continue
		}
		if p.meta, ok = readSaidMeta(text, p.seg.Docs()); !ok {
			continue
		}
		p.live, p.dirs = make([]bool, len(p.meta)), make([]*session.Dir, len(p.meta))
		parts = append(parts, p)
	}
	slices.SortFunc(parts, func(a, b *part) int { return b.seq - a.seq })
	return parts
}

// Conversations returns what was said but for what m says is forgotten. A file that
// cannot be read costs itself alone.
func (s *Index) Conversations(ctx context.Context, m *Memory) (*Conversations, error) {
	all, err := list(s.o.Sessions, s.o.Clock())
	if err != nil {
		return nil, err
	}
	byFile := make(map[saidFile]*said, len(all))
	for i := range all {
		byFile[all[i].saidFile] = &all[i]
	}
	parts := s.parts()
	s.mu.Lock()
	if s.distrusted {
		parts = nil
	}
	s.mu.Unlock()
	for _, p := range parts {
		for i := range p.meta {
			e := &p.meta[i]
			f := byFile[e.saidFile]
			if f == nil || f.taken || f.stamp != e.Stamp || f.stamp == (jsonl.Stamp{}) {
				continue
			}
			f.taken, p.live[i], p.dirs[i] = true, true, f.in
			f.warning = e.Warning
		}
	}
	c := &Conversations{}
	var tail []*said
	for i := range all {
		f := &all[i]
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !f.taken {
			f.read()
			tail = append(tail, f)
			if f.err != nil {
				c.Faults = append(c.Faults, f.err)
			}
		}
		if f.warning != "" {
			c.Warnings = append(c.Warnings, f.warning)
		}
	}
	for _, p := range parts {
		corpus, err := p.corpus(m.Forgotten)
		if err != nil { // of the index: there is none from now on
			s.Invalidate()
			return s.Conversations(ctx, m)
		}
		if corpus != nil {
			c.Corpora = append(c.Corpora, corpus)
		}
	}
	slices.SortStableFunc(tail, func(a, b *said) int { return strings.Compare(a.id+"\n"+a.path(), b.id+"\n"+b.path()) })
	c.Corpora = append(c.Corpora, index.NewScan(func(yield func(index.Document) bool) {
		for _, f := range tail {
			for _, d := range f.visible(m.Forgotten) {
				if !yield(d) {
					return
				}
			}
		}
	}))
	s.mu.Lock()
	s.tail, s.kept = tail, parts
	s.mu.Unlock()
	return c, nil
}

// corpus gives what stands in the part still and is not forgotten; nil if nothing
// does.
func (p *part) corpus(f Forgotten) (*index.Corpus, error) {
	if !slices.Contains(p.live, true) {
		return nil, nil
	}
	p.forgotten = f
	var deleted segment.Deleted
	of := make(map[string]bool, len(f.hidden.Turns))
	for t := range f.hidden.Turns {
		of[t.Session] = true
	}
	for i, e := range p.meta {
		whole := !p.live[i] || f.hidden.Sessions[e.ID]
		for doc := e.From; doc < e.To && (whole || of[e.ID]); doc++ {
			if !whole {
				l, err := p.seg.Locator(doc)
				if err != nil {
					return nil, err
				}
				if ref, err := session.ParseRef(l.Ref); err != nil || !f.hidden.Has(e.ID, ref.Turn) {
					continue
				}
			}
			deleted.Add(doc)
		}
	}
	c, err := p.corpusWithout(deleted)
	if err != nil {
		return nil, err
	}
	maybe := p.repeats.Of(p.seg)
	for _, text := range f.texts {
		docs, err := withAll(c, queryTerms(text))
		if err != nil {
			return nil, err
		}
		maybe = append(maybe, docs...)
	}
	repeated := false
	for _, doc := range maybe {
		switch _, err := c.Document(doc); {
		case errors.Is(err, ErrLateHit):
			deleted.Add(doc)
			repeated = true
		case err != nil && !errors.Is(err, index.ErrChanged):
			return nil, err
		}
	}
	if !repeated {
		return c, nil
	}
	return p.corpusWithout(deleted)
}

// corpusWithout gives the part without some documents.
func (p *part) corpusWithout(deleted segment.Deleted) (*index.Corpus, error) {
	c, err := p.seg.Corpus(deleted, nil)
	if err != nil {
		return nil, err
	}
	c.Reader = saidReader{Reader: c.Reader, part: p, corpus: c}
	return c, nil
}

// A saidReader reads turns and commands of a segment.
type saidReader struct {
	index.Reader
	part   *part
	corpus *index.Corpus
}

// Document implements index.Reader.
func (r saidReader) Document(doc int32) (*index.Document, error) {
	i, _ := slices.BinarySearchFunc(r.part.meta, doc, func(e saidEntry, doc int32) int {
		switch {
		case e.To <= doc:
			return -1
		case e.From > doc:
			return 1
		}
		return 0
	})
	l, err := r.part.seg.Locator(doc)
	if err != nil {
		return nil, err
	}
	scope := r.corpus.Name(r.corpus.Rows.At(doc).Scope)
	d, err := readSaid(r.part.meta[i].path(), l, scope, &r.part.headers)
	if err == nil && r.part.forgotten.Repeats(d.Content) {
		r.part.repeats.Note(r.part.seg, doc)
		return nil, ErrLateHit
	}
	return d, err
}

// Words implements index.Worder.
func (r itemReader) Words(prefix string, yield func(string) bool) error {
	return wordsOf(r.Reader, prefix, yield)
}

// Words implements index.Worder.
func (r saidReader) Words(prefix string, yield func(string) bool) error {
	return wordsOf(r.Reader, prefix, yield)
}

func wordsOf(r index.Reader, prefix string, yield func(string) bool) error {
	if w, ok := r.(index.Worder); ok {
		return w.Words(prefix, yield)
	}
	return nil
}
