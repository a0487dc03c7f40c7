package live

import (
	"context"
	"sync"
	"time"

	"ken/internal/index/segment"
	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/session"
)

// A Log is a log of the union that the memory is.
type Log struct {
	Path string // of its file
	// Name, Ceiling and By are as in memory.Lines; Name is empty for the own log.
	Name    string
	Ceiling memory.Origin
	By      string
}

// Options says what an Index stands on.
type Options struct {
	// State folds the memory; a state beside an error is good.
	State func(context.Context) (*memory.State, error)
	// Own reads the log of this device, which is the first of Logs.
	Own  memory.Log
	Logs []Log
	// Also are further files that State goes by.
	Also []string
	// Sessions are the directories of conversations.
	Sessions []session.Dir
	// Dir is where the index is kept; "": nowhere.
	Dir string
	// Lock is the directory under whose lock index and conversations are erased from;
	// "": nobody erases.
	Lock string
	Now  func() time.Time // required: the time at which items are to be true
	// Clock is the machine's, which files have their times from; nil: no index is
	// kept.
	Clock func() time.Time
	// Least is from how many documents on an index is kept; below it reading all
	// is as fast. 0: DefaultLeast.
	Least int
}

// DefaultLeast is where an index begins to pay: a command that reads, folds and
// cuts a thousand memories into words takes some 30 ms of CPU, and 7 with an index;
// of a few hundred nobody notices.
const DefaultLeast = 300

// An Index answers from the index as far as it is good. It is safe for concurrent
// use.
type Index struct {
	o  Options
	mu sync.Mutex // guards what follows

	memoryOld bool    // the memory's segment is to be made anew
	link      link    // to be written, if not zero
	tail      []*said // conversations that no segment has as they are
	kept      []*part // the segments that were there
	folded    foldedMemory
	// distrusted says that an answer from the index was not what the files say: none
	// is given any more.
	distrusted bool
	// opened are the segments by path. One that was replaced stays mapped: a corpus
	// may still use it.
	opened map[string]openSegment

	repeats lateHits
}

type openSegment struct {
	stamp jsonl.Stamp
	*segment.Segment
}

// open opens the segment at path, or gives it as it was opened before.
func (s *Index) open(path string) (*segment.Segment, error) {
	stamp, _ := jsonl.StampAt(path, s.o.Clock())
	s.mu.Lock()
	defer s.mu.Unlock()
	if o, ok := s.opened[path]; ok && o.stamp == stamp && stamp != (jsonl.Stamp{}) {
		return o.Segment, nil
	}
	seg, err := segment.Open(path)
	if err != nil {
		return nil, err
	}
	if s.opened == nil {
		s.opened = make(map[string]openSegment)
	}
	s.opened[path] = openSegment{stamp, seg}
	return seg, nil
}

// New returns an Index. It reads nothing yet.
func New(o Options) *Index {
	if o.Least == 0 {
		o.Least = DefaultLeast
	}
	if o.Clock == nil {
		o.Dir, o.Clock = "", func() time.Time { return time.Time{} }
	}
	return &Index{o: o}
}

// Invalidate has everything read from the files from now on, and the index made
// anew by Rebuild: for whoever got index.ErrChanged.
func (s *Index) Invalidate() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.distrusted = true
}

// Wants reports whether the last questions found something missing that Rebuild may
// make.
func (s *Index) Wants() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.o.Dir != "" && (s.memoryOld || len(s.tail) > 0)
}
