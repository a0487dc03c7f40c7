package live

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"ken/internal/index"
	"ken/internal/memory"
	"ken/internal/memory/asof"
)

// A Memory is what the memory says now, as far as questions ask for it.
type Memory struct {
	// Corpora are the active items that are true now, the newest first.
	Corpora []*index.Corpus
	// Own is the name of this device's log; "" if it has none yet.
	Own string
	// Problems are as in memory.State.
	Problems []memory.Problem
	// Forgotten says what must not come back by way of conversations.
	Forgotten Forgotten

	items []func(doc int32) (memory.Item, error) // by corpus
	find  []func(ref string) (doc int32, ok bool)
	paths map[string]string // of the logs by name, where Item does not count lines; else nil
}

// Find finds the document of an active item by its reference.
func (m *Memory) Find(ref string) (corpus int, doc int32, ok bool) {
	for i, find := range m.find {
		if doc, ok := find(ref); ok && !m.Corpora[i].Rows.Deleted(doc) {
			return i, doc, true
		}
	}
	return 0, 0, false
}

// Item returns the item of a document. The error wraps index.ErrChanged if its lines
// are no longer what they were.
func (m *Memory) Item(corpus int, doc int32) (memory.Item, error) { return m.items[corpus](doc) }

// Len returns the number of items.
func (m *Memory) Len() int {
	n := 0
	for _, c := range m.Corpora {
		n += c.Rows.Live()
	}
	return n
}

// Memory returns what the memory says. Beside an error that is about a replica it
// is good; without the log of this device it is nil.
func (s *Index) Memory(ctx context.Context) (*Memory, error) { return s.MemoryOf(ctx, nil) }

// MemoryOf is Memory for whoever has just read a state, and wants no later one where no
// index is kept; nil: it is read.
func (s *Index) MemoryOf(ctx context.Context, state *memory.State) (*Memory, error) {
	s.mu.Lock()
	distrusted := s.distrusted
	s.mu.Unlock()
	if !distrusted {
		if m := s.indexed(ctx); m != nil {
			return m, nil
		}
	}
	var err error
	if state == nil {
		state, err = s.o.State(ctx)
	}
	if state == nil {
		return nil, err
	}
	m, _ := s.foldedOf(state)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.memoryOld = err == nil && s.o.Dir != "" && m.Len() >= s.o.Least
	return m, err
}

// foldedOf is what a state says now, and a time up to now from which on it says so.
func (s *Index) foldedOf(state *memory.State) (*Memory, time.Time) {
	now := s.o.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := s.folded; f.of != state || now.Before(f.at) || now.Unix() >= f.until {
		s.folded = foldedMemory{state, now, until(state, now), FromState(state, now)}
	}
	return s.folded.memory, s.folded.at
}

// A foldedMemory is what a state said from a time on.
type foldedMemory struct {
	of     *memory.State
	at     time.Time
	until  int64 // as of the function until
	memory *Memory
}

// FromState returns what a state says at that time.
func FromState(state *memory.State, at time.Time) *Memory {
	held := asof.Hold(state, at)
	m := &Memory{Own: state.OwnLog(), Problems: state.Problems(), Forgotten: ForgottenIn(state)}
	m.add(held.Len(), held.Item)
	return m
}

// add adds a corpus of n items, which item makes.
func (m *Memory) add(n int, item func(int) memory.Item) {
	m.Corpora = append(m.Corpora, index.ScanOf(n, func(doc int32) index.Document {
		it := item(int(doc))
		return index.Item(&it)
	}))
	m.items = append(m.items, func(doc int32) (memory.Item, error) { return item(int(doc)), nil })
	m.find = append(m.find, finder(n, func(yield func(string)) {
		for i := range n {
			yield(item(i).Ref())
		}
	}))
}

// finder finds the place of a reference among those that all yields, about n. It asks for
// them when it has to find one.
func finder(n int, all func(yield func(ref string))) func(ref string) (int32, bool) {
	var once sync.Once
	var docs map[string]int32
	return func(ref string) (int32, bool) {
		once.Do(func() {
			docs = make(map[string]int32, n)
			all(func(ref string) { docs[ref] = int32(len(docs)) })
		})
		doc, ok := docs[ref]
		return doc, ok
	}
}

// until is the first time after at when other items may be true, in seconds of
// Unix time; math.MaxInt64 if there is none.
func until(state *memory.State, at time.Time) int64 {
	next := int64(math.MaxInt64)
	for it := range state.Each(memory.StatusActive, memory.StatusSuperseded, memory.StatusWaiting) {
		d := it.Record.Detail
		if d == nil {
			continue
		}
		for _, t := range [...]time.Time{d.Expires, d.ValidFrom, d.ValidTo} {
			if t.After(at) {
				next = min(next, t.Unix())
			}
		}
	}
	return next
}

// changesOf gives the lines that shape items beyond their stating lines, by item:
// those that count, in the order in which they apply.
func changesOf(state *memory.State) map[memory.ID][]spot {
	logs := make(map[string]int)
	for n, l := range state.Logs() {
		logs[l.Log] = n
	}
	of := make(map[memory.ID][]spot)
	says := make(map[memory.ID]string) // what an item says up to there, since an edit said so
	for c := range state.Changes() {
		r := &c.Record
		switch r.Kind {
		case memory.KindEdit, memory.KindPhase, memory.KindTier, memory.KindPin, memory.KindUnpin:
		default:
			continue
		}
		if st := state.Status(c.ID); st != memory.StatusChange {
			continue
		}
		targets := r.Details().Targets
		if !r.Target.IsZero() {
			targets = append([]memory.ID{r.Target}, targets...)
		}
		for _, id := range targets {
			id = id.In(c.Log).From(state.OwnLog())
			before, edited := says[id]
			if st, ok := state.Line(id); ok && !edited {
				before = st.Record.Content
			}
			rewords := r.Content != "" && !c.Waits && r.Content != before
			if rewords {
				says[id] = r.Content
			}
			of[id] = append(of[id], spot{logs[c.Log], c.Line, rewords})
		}
	}
	return of
}

// A spot is a line of one of a state's logs.
type spot struct {
	log, line int
	rewords   bool // an edit of the text
}

// errState says that a state cannot be indexed: it is not what the files say.
var errState = fmt.Errorf("the memory is not what its files say")
