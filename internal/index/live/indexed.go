package live

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"sync"
	"time"

	"ken/internal/index"
	"ken/internal/index/segment"
	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/regular"
)

// version is of what stands beside the words in a segment. Another one is passed
// over.
const version = 6

// A memoryMeta is what a segment of the memory holds besides documents.
type memoryMeta struct {
	Version   int           `json:"version"`
	Logs      []logMeta     `json:"logs"`
	Also      []jsonl.Stamp `json:"also,omitempty"` // of Options.Also
	Own       string        `json:"own"`
	MaxID     int64         `json:"max"`                 // the largest number that a line of the own log names
	Falling   bool          `json:"falling"`             // the items have numbers, each below that of the one before
	Latest    int64         `json:"latest,omitempty"`    // no item is newer, in seconds of Unix time
	Odd       bool          `json:"odd,omitempty"`       // some item has no time, or one between two seconds
	From      int64         `json:"from"`                // the items are those that are true from then on
	Until     int64         `json:"until,omitempty"`     // and before then; both in seconds of Unix time
	Forgotten [][]lineRef   `json:"forgotten,omitempty"` // the lines of what Memory.Forgotten says
	Beside    bool          `json:"beside,omitempty"`    // some active item is no document: it is true at another time
	Turns     []memory.Turn `json:"turns,omitempty"`     // hidden
	Hidden    []string      `json:"sessions,omitempty"`  // hidden as a whole
	Problem   []problem     `json:"problems,omitempty"`
}

// A problem is a memory.Problem, the line of which may have no name.
type problem struct {
	memory.Problem
	ID string `json:",omitempty"`
}

func problemsOf(all []memory.Problem) (list []problem) {
	for _, p := range all {
		one := problem{Problem: p}
		if !p.ID.IsZero() {
			one.ID = p.ID.String()
		}
		list = append(list, one)
	}
	return list
}

// problems are those that problemsOf was given.
func (m *memoryMeta) problems() (list []memory.Problem, err error) {
	for _, p := range m.Problem {
		if p.ID != "" {
			if p.Problem.ID, err = memory.ParseID(p.ID); err != nil {
				return nil, err
			}
		}
		list = append(list, p.Problem)
	}
	return list, nil
}

// A logMeta is one of the logs that a segment was made from.
type logMeta struct {
	Path    string        `json:"path"`
	Name    string        `json:"name"` // as the state has it
	Ceiling memory.Origin `json:"ceiling,omitempty"`
	By      string        `json:"by,omitempty"`
	Stamp   jsonl.Stamp   `json:"stamp"` // zero if a later change might not show in it
	At      memory.Cursor `json:"at"`    // behind the last line
}

// A lineRef says where a line of a log is.
type lineRef struct {
	Log    int    `json:"l"` // place in memoryMeta.Logs
	Offset int64  `json:"o"`
	Len    int64  `json:"n"` // without line end
	Sum    uint64 `json:"s"` // segment.SumOf
}

// memoryPath is where the segment of the memory is. What is let in of a repository
// makes another memory of it, while the person is there.
func (s *Index) memoryPath() string {
	h := fnv.New32a()
	for _, l := range s.o.Logs {
		_, _ = fmt.Fprintf(h, "%q %q %q\n", l.Path, l.Name, l.Ceiling) // a hash takes everything
	}
	return filepath.Join(s.o.Dir, fmt.Sprintf("memory-%08x.seg", h.Sum32()))
}

// good reports whether the meta is about the files that are there now. tail are
// the lines that the own log has more.
func (s *Index) good(ctx context.Context, m *memoryMeta) (tail []memory.Entry, ok bool) {
	now := s.o.Now().Unix()
	if m.Version != version || now < m.From || m.Until != 0 && now >= m.Until || len(m.Logs) != len(s.o.Logs) || len(m.Also) != len(s.o.Also) {
		return nil, false
	}
	clock := s.o.Clock()
	for i, l := range s.o.Logs {
		was := &m.Logs[i]
		if l.Path != was.Path || l.Name != "" && l.Name != was.Name || l.Ceiling != was.Ceiling || l.By != was.By {
			return nil, false
		}
		if stamp, _ := jsonl.StampAt(l.Path, clock); stamp == was.Stamp && stamp != (jsonl.Stamp{}) {
			continue
		}
		if i > 0 {
			return nil, false
		}
		if tail, ok = s.tailOf(ctx, was.At); !ok {
			return nil, false
		}
	}
	for i, path := range s.o.Also {
		if stamp, _ := jsonl.StampAt(path, clock); stamp != m.Also[i] {
			return nil, false
		}
	}
	return tail, true
}

// maxTail is how many lines are taken into account beside a segment: more of them
// cost more than making it anew.
const maxTail = 1000

// A lines reads items again from their lines.
type lines struct {
	meta *memoryMeta

	mu     sync.Mutex // guards what follows, and is held while a line is read
	open   []openLog  // by log; what was opened last
	parser memory.Parser
}

// An openLog is a file that stays open, and which one it is.
type openLog struct {
	*os.File
	is os.FileInfo
}

// read reads len(b) bytes of a log at an offset: of the file that is there now, which
// may be another one than that of the last time. l.mu is held.
func (l *lines) read(b []byte, log int, offset int64) error {
	path := l.meta.Logs[log].Path
	if l.open == nil {
		l.open = make([]openLog, len(l.meta.Logs))
	}
	f := &l.open[log]
	fi, err := os.Stat(path)
	if err != nil {
		return err
	}
	if f.File != nil && !os.SameFile(fi, f.is) {
		if err := f.Close(); err != nil {
			return err
		}
		f.File = nil
	}
	if f.File == nil {
		if f.File, err = regular.Open(path); err != nil {
			return err
		}
		if f.is, err = f.Stat(); err != nil {
			return err
		}
	}
	_, err = f.ReadAt(b, offset)
	return err
}

// item folds the lines of one item, which is in force.
func (l *lines) item(places []lineRef) (memory.Item, error) {
	return l.itemIn(places, memory.StatusActive)
}

// itemIn is item for one of these statuses, as far as its own lines say. These are in
// the order in which the fold of all lines applies them, which they do not say: it
// may be another line that says how late it was in their log.
func (l *lines) itemIn(places []lineRef, in ...memory.Status) (memory.Item, error) {
	logs := []memory.Lines{{Log: l.meta.Own, Own: true}}
	for n, p := range places {
		e, err := l.entry(p)
		if err != nil {
			return memory.Item{}, err
		}
		m := &l.meta.Logs[p.Log]
		at := slices.IndexFunc(logs, func(x memory.Lines) bool { return x.Log == m.Name })
		if at < 0 {
			at = len(logs)
			logs = append(logs, memory.Lines{Log: m.Name, Ceiling: m.Ceiling, By: m.By})
		}
		logs[at].Entries = append(logs[at].Entries, e)
		logs[at].Times = append(logs[at].Times, time.Unix(int64(n), 0))
	}
	items := memory.Fold(logs...).With(in...)
	if len(items) != 1 {
		return memory.Item{}, index.ErrChanged
	}
	return items[0], nil
}

// entry reads a line.
func (l *lines) entry(p lineRef) (memory.Entry, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := make([]byte, p.Len)
	if err := l.read(b, p.Log, p.Offset); err != nil {
		return memory.Entry{}, fmt.Errorf("%w: %w", index.ErrChanged, err)
	}
	e := l.parser.Line(b)
	if segment.SumOf(b) != p.Sum || e.Bad != nil || e.Meta != nil {
		return memory.Entry{}, fmt.Errorf("%s: %w", l.meta.Logs[p.Log].Path, index.ErrChanged)
	}
	return e, nil
}

// A tailState is what lines behind those of a segment say.
type tailState struct {
	items     []memory.Item // newest first
	gone      []memory.Item // stated and forgotten
	forgotten []memory.ID   // of the segment
}

// stated takes note of how new the items are that a segment holds.
func (m *memoryMeta) stated(state *memory.State, items func(yield func(memory.Item) bool)) {
	m.Latest = math.MinInt64
	for it := range items {
		t := it.Record.Time
		m.Odd = m.Odd || t.IsZero() || t.Nanosecond() != 0
		m.Latest = max(m.Latest, t.Unix())
	}
	if !m.Odd {
		return
	}
	for _, l := range state.Logs() { // one without a time is as new as any line before it
		for i := range l.Entries {
			m.Latest = max(m.Latest, l.Entries[i].Record.Time.Unix())
		}
	}
}

// follow reports whether it is known where items of the own log that came later stand
// among those of the segment: clocks go back, and of two items of one second it may
// take all lines to find which comes first.
func (m *memoryMeta) follow(later []memory.Item, rows *index.Rows) bool {
	for i := range later {
		t := later[i].Record.Time
		at := t.Unix()
		if at > m.Latest {
			continue
		}
		if m.Odd || t.Nanosecond() != 0 {
			return false
		}
		if len(m.Logs) == 1 {
			continue
		}
		doc := sort.Search(rows.Len(), func(n int) bool { return rows.At(int32(n)).Time <= at })
		if doc < rows.Len() && rows.At(int32(doc)).Time == at {
			return false
		}
	}
	return true
}

// readTail says what the lines mean, if they are of the simple kind: they state
// something that depends on nothing before it, or forget something.
func readTail(m *memoryMeta, tail []memory.Entry) (t tailState, ok bool) {
	var stating []memory.Entry
	gone := make(map[memory.ID]bool)
	for _, e := range tail {
		r := e.Record
		switch d := r.Details(); {
		case e.Bad != nil || e.Meta != nil || len(e.Notes()) > 0:
			return t, false
		case r.Kind == "":
		case r.Kind == memory.KindForget && r.Origin.Rank() == 0 && len(d.Sessions)+len(d.Turns) == 0:
			targets := d.Targets
			if !r.Target.IsZero() {
				targets = append([]memory.ID{r.Target}, targets...)
			}
			for _, id := range targets {
				gone[id.In(m.Own).From(m.Own)] = true
			}
		case r.Kind.Changes() || !r.States() || r.ID.N <= m.MaxID || r.Key != "" || len(d.Supersedes) > 0 ||
			!d.ValidFrom.IsZero() || !d.ValidTo.IsZero() || !d.Expires.IsZero() || r.Origin.Rank() > 0 || r.Time.IsZero():
			return t, false
		default:
			stating = append(stating, e)
		}
	}
	s := memory.Fold(memory.Lines{Log: m.Own, Own: true, Entries: stating})
	if len(s.Problems()) > 0 {
		return t, false
	}
	for _, it := range s.Items() {
		if gone[it.ID] {
			t.gone = append(t.gone, it)
			delete(gone, it.ID)
			continue
		}
		t.items = append(t.items, it)
	}
	for id := range gone {
		t.forgotten = append(t.forgotten, id)
	}
	return t, true
}
