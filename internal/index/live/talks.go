package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"ken/internal/index/segment"
	"ken/internal/jsonl"
	"ken/internal/regular"
)

// buildSaid makes a segment of conversations: of those that none has, and of those
// in segments that are hardly larger than what was gathered before, or mostly out
// of date. So there are few, each some times the size of the next.
func (s *Index) buildSaid(ctx context.Context, tail []*said, kept []*part) error {
	also, err := s.also()
	if err != nil {
		return err
	}
	size, seq := 0, 1
	for _, f := range tail {
		size += len(f.docs)
	}
	for _, p := range kept {
		seq = max(seq, p.seq+1)
	}
	slices.SortStableFunc(kept, func(a, b *part) int { return a.fresh() - b.fresh() })
	var done []*part
	for _, p := range kept {
		if n := p.fresh(); n > 2*size && n > p.seg.Docs()/2 {
			continue
		}
		size += p.fresh()
		done = append(done, p)
	}
	path := filepath.Join(s.o.Dir, fmt.Sprintf("%s%06d%s", saidPrefix, seq, saidSuffix))
	var meta saidMeta
	err = s.publish(ctx, path, func(path string) error {
		var err error
		if meta, err = s.joinSaid(ctx, path, tail, done); errors.Is(err, errApart) {
			meta, err = s.writeSaid(ctx, path, append(tail, reread(done)...))
		}
		return err
	}, func() error {
		for _, e := range meta {
			if now, _ := jsonl.StampAt(e.path(), s.o.Clock()); now != e.Stamp {
				return errChanged(e.path())
			}
		}
		return s.unchanged(also)
	})
	if err != nil {
		return err
	}
	for _, p := range done {
		if err := os.Remove(p.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("index: %w", err)
		}
	}
	return nil
}

// reread reads again what of parts still stands in its files.
func reread(parts []*part) (list []*said) {
	for _, p := range parts {
		for i, e := range p.meta {
			if p.live[i] {
				f := &said{saidFile: e.saidFile, in: p.dirs[i], stamp: e.Stamp}
				f.read()
				list = append(list, f)
			}
		}
	}
	return list
}

// errApart says that what a file says would not stand together in a segment, as
// where two files are of one session.
var errApart = errors.New("a conversation does not stand together")

// joinSaid writes a segment of tail and of what of parts still stands in its files,
// of which it reads no text.
func (s *Index) joinSaid(ctx context.Context, path string, tail []*said, parts []*part) (meta saidMeta, err error) {
	if len(parts) == 0 {
		return s.writeSaid(ctx, path, tail)
	}
	added := path + newSuffix
	newest, err := s.writeSaid(ctx, added, tail)
	if err != nil {
		return meta, err
	}
	defer func() { err = errors.Join(err, os.Remove(added)) }()
	seg, err := segment.Open(added)
	if err != nil {
		return meta, err
	}
	defer func() { err = errors.Join(err, seg.Close()) }()
	all, of := []segment.Part{{Segment: seg}}, []saidMeta{newest}
	for _, p := range parts {
		var deleted segment.Deleted
		var living saidMeta
		for i, e := range p.meta {
			if p.live[i] {
				living = append(living, e)
				continue
			}
			for doc := e.From; doc < e.To; doc++ {
				deleted.Add(doc)
			}
		}
		all, of = append(all, segment.Part{Segment: p.seg, Deleted: deleted}), append(of, living)
	}
	err = segment.MergeWith(path, func(number func(part int, doc int32) int32) ([]byte, error) {
		meta = nil
		for part, entries := range of {
			for _, e := range entries {
				now := e
				now.From, now.To = 0, 0 // without documents it stands nowhere
				if e.From < e.To {
					now.From = number(part, e.From)
					now.To = now.From + e.To - e.From
				}
				for doc := e.From; doc < e.To; doc++ {
					if number(part, doc) != now.From+doc-e.From {
						return nil, errApart
					}
				}
				meta = append(meta, now)
			}
		}
		slices.SortStableFunc(meta, func(a, b saidEntry) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)) })
		return meta.append(nil), nil
	}, all...)
	return meta, err
}

// writeSaid writes a segment of the conversations, and gives its meta.
func (s *Index) writeSaid(ctx context.Context, path string, list []*said) (saidMeta, error) {
	var meta saidMeta
	b := new(segment.Builder)
	for _, f := range list {
		if f.err != nil || f.stamp == (jsonl.Stamp{}) {
			continue
		}
		from := int32(b.Docs())
		if err := f.addTo(b, s.o.Clock()); err != nil {
			return meta, err
		}
		meta = append(meta, saidEntry{f.saidFile, f.stamp, f.id, f.warning, from, int32(b.Docs())})
		if err := ctx.Err(); err != nil {
			return meta, err
		}
	}
	return meta, b.WriteFile(path, meta.append(nil))
}

// fresh is how many documents of the part still stand in their files.
func (p *part) fresh() int {
	n := 0
	for i, e := range p.meta {
		if p.live[i] {
			n += int(e.To - e.From)
		}
	}
	return n
}

// addTo adds the documents of a conversation to a segment.
func (s *said) addTo(b *segment.Builder, now time.Time) error {
	path := s.path()
	f, err := regular.Open(path)
	if err != nil {
		return fmt.Errorf("index: %w", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	for i := range s.docs {
		line := make([]byte, s.lines[i].Len)
		if _, err := f.ReadAt(line, s.lines[i].Offset); err != nil {
			return fmt.Errorf("index %s: %w", path, err)
		}
		at := segment.LineRef{Offset: s.lines[i].Offset, Length: uint32(len(line)), Sum: segment.SumOf(line)}
		b.Add(&s.docs[i], segment.Locator{Ref: s.docs[i].Ref, Lines: []segment.LineRef{at}})
	}
	// What was written since the documents were read would be in the lines alone.
	if stamp, _ := jsonl.StampAt(path, now); stamp != s.stamp {
		return fmt.Errorf("index: %s was just changed", path)
	}
	return nil
}
