package shelf

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"ken/internal/index"
	"ken/internal/index/segment"
	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/memory/asof"
)

// leastTail is how many documents of conversations are read from their files
// rather than put into a segment of their own.
const leastTail = 200

// Tend brings the index up to what the last questions found missing. It takes
// some seconds for a hundred thousand documents; it may be given up at any time.
// Its error is nobody's trouble but that the next question is slower.
func (s *Shelf) Tend(ctx context.Context) error {
	s.mu.Lock()
	old, tail, kept, distrusted := s.memoryOld, s.tail, s.kept, s.distrusted
	s.memoryOld, s.tail = false, nil
	s.mu.Unlock()
	if s.o.Dir == "" {
		return nil
	}
	var errs []error
	if distrusted {
		errs = append(errs, Drop(s.o.Dir))
	}
	if old {
		errs = append(errs, s.buildMemory(ctx))
	}
	docs, all := 0, 0
	for _, f := range tail {
		docs += len(f.docs)
	}
	all = docs
	for _, p := range kept {
		all += p.seg.Docs()
	}
	if docs >= min(leastTail, s.o.Least) && all >= s.o.Least {
		errs = append(errs, s.buildSaid(ctx, tail, kept))
	}
	return errors.Join(errs...)
}

// Drop deletes the index: for whoever takes words out of the files for good.
func Drop(dir string) error {
	names, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("drop the index: %w", err)
	}
	for _, n := range names {
		if err := os.Remove(filepath.Join(dir, n.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("drop the index: %w", err)
		}
	}
	return nil
}

// buildMemory makes the segment of the memory.
func (s *Shelf) buildMemory(ctx context.Context) error {
	clock := s.o.Clock()
	stamps := make([]jsonl.Stamp, len(s.o.Logs)) // from before the state is read
	for i, l := range s.o.Logs {
		if stamp, sure := stampOf(l.Path, clock); sure {
			stamps[i] = stamp
		}
	}
	meta := memoryMeta{Version: version}
	for _, path := range s.o.Also {
		stamp, sure := stampOf(path, clock)
		if !sure {
			return fmt.Errorf("index: %s was just changed", path)
		}
		meta.Also = append(meta.Also, stamp)
	}
	state, err := s.o.State(ctx)
	if err != nil {
		return fmt.Errorf("index the memory: %w", err)
	}
	now := s.o.Now()
	meta.Own, meta.From, meta.Problem = state.OwnLog(), now.Unix(), state.Problems()
	meta.MaxID = state.MaxID("")
	if t := until(state, now); t != math.MaxInt64 {
		meta.Until = t
	}
	logs := state.Logs()
	if len(logs) != len(s.o.Logs) {
		return errState
	}
	places := make([][]place, len(logs)) // by log of the state and number of the line
	for i, l := range s.o.Logs {
		n := findLog(logs, l, i == 0)
		if n < 0 || places[n] != nil {
			return errState
		}
		m := logMeta{Path: l.Path, Name: logs[n].Log, Ceiling: l.Ceiling, By: l.By, Stamp: stamps[i]}
		if places[n], m.At, err = placesIn(ctx, l.Path, i, logs[n].Entries); err != nil {
			return err
		}
		meta.Logs = append(meta.Logs, m)
	}
	changes := changesOf(state)
	of := func(it memory.Item) ([]place, error) {
		n := -1
		for i := range logs {
			if logs[i].Log == it.Log {
				n = i
			}
		}
		spots := append([]spot{{n, it.Line}}, changes[it.ID]...)
		list := make([]place, 0, len(spots))
		for _, sp := range spots {
			if sp.log < 0 || sp.line >= len(places[sp.log]) || places[sp.log][sp.line].Len == 0 {
				return nil, errState
			}
			list = append(list, places[sp.log][sp.line])
		}
		return list, nil
	}
	for _, it := range forgotten(state) {
		list, err := of(it)
		if err != nil {
			return err
		}
		meta.Gone = append(meta.Gone, list)
	}
	hidden := state.HiddenTurns()
	for t := range hidden.Turns {
		meta.Turns = append(meta.Turns, t)
	}
	for id := range hidden.Sessions {
		meta.Hidden = append(meta.Hidden, id)
	}
	b := new(segment.Builder)
	meta.Falling = true
	last := int64(math.MaxInt64)
	for _, it := range asof.Items(state, now) {
		meta.Falling = meta.Falling && it.ID.Log == "" && it.ID.N > 0 && it.ID.N < last
		last = it.ID.N
		list, err := of(it)
		if err != nil {
			return err
		}
		lines := make([]segment.Line, len(list))
		for i, p := range list {
			lines[i] = segment.Line{File: uint32(p.Log), Offset: p.Offset, Length: uint32(p.Len), Sum: p.Sum}
		}
		d := index.Item(&it)
		b.Add(&d, segment.Locator{Ref: d.Ref, Lines: lines})
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	text, err := json.Marshal(meta)
	if err != nil {
		return err
	}
	return s.write(b, text, s.memoryPath())
}

func (s *Shelf) write(b *segment.Builder, meta []byte, path string) error {
	if err := os.MkdirAll(s.o.Dir, 0o700); err != nil {
		return fmt.Errorf("index: %w", err)
	}
	return b.WriteFile(path, meta)
}

// findLog is the place of l among the logs of a state; -1 if it is not there.
func findLog(logs []memory.Lines, l Log, own bool) int {
	for i := range logs {
		if own && logs[i].Own || !own && !logs[i].Own && logs[i].Log == l.Name {
			return i
		}
	}
	return -1
}

// placesIn finds the lines of a log's entries in its file, by their numbers, and
// the position behind the last of them.
func placesIn(ctx context.Context, path string, log int, entries []memory.Entry) (list []place, at memory.Cursor, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) && len(entries) == 0 {
		return []place{}, "", nil
	}
	if err != nil {
		return nil, "", fmt.Errorf("index: %w", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	n := 0
	for l, err := range jsonl.Lines(f, memory.MaxLine) {
		if err == nil && l.Number%4096 == 0 {
			err = ctx.Err()
		}
		if err != nil {
			return nil, "", fmt.Errorf("index %s: %w", path, err)
		}
		for len(list) <= l.Number {
			list = append(list, place{})
		}
		if n == len(entries) {
			break // what came since
		}
		e := &entries[n]
		if e.Line != l.Number {
			continue // a blank line
		}
		n++
		if e.Bad != nil {
			if e.Bad.Torn {
				break
			}
		} else {
			if memory.SumOf(l.Bytes) != e.Sum {
				return nil, "", errState
			}
			list[l.Number] = place{Log: log, Offset: l.Offset, Len: int64(len(l.Bytes)), Sum: segment.SumOf(l.Bytes)}
		}
		at = memory.Cursor(l.End.String())
	}
	if n < len(entries) {
		return nil, "", errState
	}
	return list, at, nil
}

// buildSaid makes a segment of conversations: of those that none has, and of those
// in segments that are hardly larger than what was gathered before, or mostly out
// of date. So there are few, each some times the size of the next.
func (s *Shelf) buildSaid(ctx context.Context, tail []*said, kept []*part) error {
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
		for i, e := range p.meta.Sessions {
			if !p.live[i] {
				continue
			}
			f := &said{path: e.Path, dir: p.dirs[i], stamp: e.Stamp}
			f.read()
			tail, size = append(tail, f), size+len(f.docs)
		}
		done = append(done, p)
	}
	meta := saidMeta{Version: version}
	b := new(segment.Builder)
	for _, f := range tail {
		if f.err != nil || f.stamp == (jsonl.Stamp{}) {
			continue
		}
		from := int32(b.Docs())
		if err := f.addTo(b, s.o.Clock()); err != nil {
			return err
		}
		meta.Sessions = append(meta.Sessions, saidEntry{f.path, f.stamp, f.id, f.warning, from, int32(b.Docs())})
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	text, err := json.Marshal(meta)
	if err != nil {
		return err
	}
	path := filepath.Join(s.o.Dir, fmt.Sprintf("%s%06d%s", saidPrefix, seq, saidSuffix))
	if err := s.write(b, text, path); err != nil {
		return err
	}
	for _, p := range done {
		if err := os.Remove(p.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("index: %w", err)
		}
	}
	return nil
}

// fresh is how many documents of the part still stand in their files.
func (p *part) fresh() int {
	n := 0
	for i, e := range p.meta.Sessions {
		if p.live[i] {
			n += int(e.To - e.From)
		}
	}
	return n
}

// addTo adds the documents of a conversation to a segment.
func (s *said) addTo(b *segment.Builder, now time.Time) error {
	f, err := os.Open(s.path)
	if err != nil {
		return fmt.Errorf("index: %w", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	for i := range s.docs {
		line := make([]byte, s.lines[i].Len)
		if _, err := f.ReadAt(line, s.lines[i].Offset); err != nil {
			return fmt.Errorf("index %s: %w", s.path, err)
		}
		at := segment.Line{Offset: s.lines[i].Offset, Length: uint32(len(line)), Sum: segment.SumOf(line)}
		b.Add(&s.docs[i], segment.Locator{Ref: s.docs[i].Ref, Lines: []segment.Line{at}})
	}
	// What was written since the documents were read would be in the lines alone.
	if stamp, _ := stampOf(s.path, now); stamp != s.stamp {
		return fmt.Errorf("index: %s was just changed", s.path)
	}
	return nil
}
