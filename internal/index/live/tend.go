package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"ken/internal/index"
	"ken/internal/index/segment"
	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/regular"
)

// leastTail is how many documents of conversations are read from their files
// rather than put into a segment of their own.
const leastTail = 200

// Rebuild brings the index up to what the last questions found missing. It takes
// some seconds for a hundred thousand documents; it may be given up at any time.
// Its error is nobody's trouble but that the next question is slower.
func (s *Index) Rebuild(ctx context.Context) error {
	s.mu.Lock()
	old, tail, kept, distrusted, behind := s.memoryOld, s.tail, s.kept, s.distrusted, s.link
	s.memoryOld, s.tail, s.link = false, nil, link{}
	s.mu.Unlock()
	if s.o.Dir == "" {
		return nil
	}
	var errs []error
	if distrusted {
		errs = append(errs, Drop(s.o.Dir))
	}
	switch {
	case old:
		errs = append(errs, s.buildMemory(ctx))
	case behind != link{}:
		errs = append(errs, s.writeLink(ctx, behind))
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
func (s *Index) buildMemory(ctx context.Context) error {
	if err := os.MkdirAll(s.o.Dir, 0o700); err != nil { // before all is read once more
		return fmt.Errorf("index: %w", err)
	}
	clock := s.o.Clock()
	before := make([]jsonl.Stamp, len(s.o.Logs)) // the state is read
	stamps := make([]jsonl.Stamp, len(s.o.Logs)) // those that are to be believed
	for i, l := range s.o.Logs {
		stamp, sure := jsonl.StampAt(l.Path, clock)
		if before[i] = stamp; sure {
			stamps[i] = stamp
		}
	}
	meta := memoryMeta{Version: version}
	var err error
	if meta.Also, err = s.also(); err != nil {
		return err
	}
	state, err := s.o.State(ctx)
	if err != nil {
		return fmt.Errorf("index the memory: %w", err)
	}
	m, now := s.foldedOf(state)
	scan, ok := m.Corpora[0].Reader.(*index.Scan)
	if !ok {
		return errState
	}
	meta.Own, meta.From, meta.Problem = state.OwnLog(), now.Unix(), problemsOf(state.Problems())
	meta.MaxID = state.MaxID("")
	if t := until(state, now); t != math.MaxInt64 {
		meta.Until = t
	}
	logs := state.Logs()
	if len(logs) != len(s.o.Logs) {
		return errState
	}
	places := make([][]segment.LineRef, len(logs)) // by log of the state and number of the line
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
	of := func(it memory.Item) ([]lineRef, error) {
		n := -1
		for i := range logs {
			if logs[i].Log == it.Log {
				n = i
			}
		}
		spots := append([]spot{{log: n, line: it.Line}}, changes[it.ID]...)
		list := make([]lineRef, 0, len(spots))
		for _, sp := range spots {
			if sp.log < 0 || sp.line >= len(places[sp.log]) || places[sp.log][sp.line].Length == 0 {
				return nil, errState
			}
			l := &places[sp.log][sp.line]
			list = append(list, lineRef{Log: int(l.File), Offset: l.Offset, Len: int64(l.Length), Sum: l.Sum})
		}
		return list, nil
	}
	for _, w := range forgottenWordings(state) {
		list, err := of(w.Item)
		if err != nil {
			return err
		}
		edits := 0
		for n, sp := range changes[w.ID] { // what it said up to a line is what the lines before it say
			if sp.rewords {
				edits++
			}
			if edits > w.edits {
				list = list[:n+1]
				break
			}
		}
		meta.Forgotten = append(meta.Forgotten, list)
	}
	for it := range state.Each(memory.StatusActive) {
		if meta.Beside = !it.Current(now); meta.Beside {
			break
		}
	}
	hidden := state.HiddenTurns()
	for t := range hidden.Turns {
		meta.Turns = append(meta.Turns, t)
	}
	for id := range hidden.Sessions {
		meta.Hidden = append(meta.Hidden, id)
	}
	docs := int32(m.Corpora[0].Rows.Len())
	meta.Falling = true
	last := int64(math.MaxInt64)
	for doc := range docs {
		it, err := m.Item(0, doc)
		if err != nil {
			return err
		}
		meta.Falling = meta.Falling && it.ID.Log == "" && it.ID.N > 0 && it.ID.N < last
		last = it.ID.N
	}
	meta.stated(state, func(yield func(memory.Item) bool) {
		for doc := range docs {
			if it, err := m.Item(0, doc); err != nil || !yield(it) {
				return
			}
		}
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	text, err := json.Marshal(meta)
	if err != nil {
		return err
	}
	return s.publish(ctx, s.memoryPath(), func(path string) error {
		return segment.WriteScan(path, text, m.Corpora[0], scan, func(doc int32) (segment.Locator, error) {
			it, err := m.Item(0, doc)
			if err != nil {
				return segment.Locator{}, err
			}
			list, err := of(it)
			if err != nil {
				return segment.Locator{}, err
			}
			lines := make([]segment.LineRef, len(list))
			for i, p := range list {
				lines[i] = segment.LineRef{File: uint32(p.Log), Offset: p.Offset, Length: uint32(p.Len), Sum: p.Sum}
			}
			return segment.Locator{Lines: lines}, nil
		})
	}, func() error {
		clock := s.o.Clock()
		for i, l := range s.o.Logs {
			now, _ := jsonl.StampAt(l.Path, clock)
			if now != before[i] && !now.Grew(before[i]) { // what was appended takes nothing away
				return errChanged(l.Path)
			}
		}
		return s.unchanged(meta.Also)
	})
}

// also are the stamps of the files of Options.Also; an error if a later change might
// not show in one.
func (s *Index) also() ([]jsonl.Stamp, error) {
	var list []jsonl.Stamp
	for _, path := range s.o.Also {
		stamp, sure := jsonl.StampAt(path, s.o.Clock())
		if !sure {
			return nil, errChanged(path)
		}
		list = append(list, stamp)
	}
	return list, nil
}

// unchanged is nil if the files of Options.Also have these stamps still.
func (s *Index) unchanged(also []jsonl.Stamp) error {
	for i, path := range s.o.Also {
		if now, _ := jsonl.StampAt(path, s.o.Clock()); now != also[i] {
			return errChanged(path)
		}
	}
	return nil
}

func errChanged(path string) error { return fmt.Errorf("index: %s was just changed", path) }

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
func placesIn(ctx context.Context, path string, log int, entries []memory.Entry) (list []segment.LineRef, at memory.Cursor, err error) {
	f, err := regular.Open(path)
	if errors.Is(err, fs.ErrNotExist) && len(entries) == 0 {
		return []segment.LineRef{}, "", nil
	}
	if err != nil {
		return nil, "", fmt.Errorf("index: %w", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	if len(entries) > 0 {
		list = make([]segment.LineRef, 0, entries[len(entries)-1].Line+2)
	}
	n := 0
	var parser memory.Parser
	for l, err := range jsonl.Lines(f, memory.MaxLine) {
		if err == nil && l.Number%4096 == 0 {
			err = ctx.Err()
		}
		if err != nil {
			return nil, "", fmt.Errorf("index %s: %w", path, err)
		}
		for len(list) <= l.Number {
			list = append(list, segment.LineRef{})
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
			if parser.Sum(l.Bytes) != e.Sum {
				return nil, "", errState
			}
			list[l.Number] = segment.LineRef{File: uint32(log), Offset: l.Offset, Length: uint32(len(l.Bytes)), Sum: segment.SumOf(l.Bytes)}
		}
		at = memory.Cursor(l.End.String())
	}
	if n < len(entries) {
		return nil, "", errState
	}
	return list, at, nil
}
