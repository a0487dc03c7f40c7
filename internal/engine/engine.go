package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"ken/internal/memory"
	"ken/internal/memory/tombstone"
	"ken/internal/redact"
	"ken/internal/review"
)

// A Replica is another log that is read and never written: of another device of
// the same person, or of the repository that they are in.
type Replica struct {
	Name string // the log's name, as its items are prefixed
	Log  memory.Log
	// Ceiling is the most trusted origin that its lines may claim; empty: as
	// written.
	Ceiling memory.Origin
	// By is the human act that lets in a log with a ceiling ("trust:<digest>");
	// empty: its items wait.
	By string
}

// Options are what an Engine works with.
type Options struct {
	Own      memory.Log
	Replicas []Replica
	// Mask replaces the secrets in a text and returns what it replaced. nil masks nothing.
	Mask func(string) (string, []redact.Hit)
	Now  func() time.Time // the clock; required
	// Queue is where proposals wait; nil: there are none.
	Queue *review.Log
	// Wrote is called after every write of a Writer, once the write is durable and no lock is held.
	// changed reports that an existing item may be different now; otherwise lines were only added.
	// It is not called for erasing and masking, which the caller who removes the text from all
	// files reports. nil calls nothing.
	Wrote func(changed bool)
	// Read is called with the number of lines of the logs before a State is made of them. It must
	// not call the Engine. nil calls nothing.
	Read func(lines int)
	// Erased is the list of what was erased on this device. nil keeps none.
	Erased *tombstone.Journal
	// Relax shows the person a write that would relax a rule. It reports whether they said at a
	// terminal that they mean it; asked is false if nobody is there. It is called without a lock,
	// and only for a person. nil means that nobody is there, and nothing is relaxed.
	Relax func(context.Context, *RelaxError) (means, asked bool)
	// Ruled is called after a durable change of the set of rules, and after a veto. It must not
	// call the Engine. nil calls nothing.
	Ruled func(context.Context, RulesChange)
	// Seal returns the seal of the person, under which a line that cites notes what it cites. nil,
	// or an error, notes nothing.
	Seal func() (*memory.Seal, error)
	// ReadOnly refuses every write and every suggestion with an error that wraps ErrOnlyRead.
	ReadOnly bool
}

// An Engine reads and writes one memory, for one of those who use it. It is safe for concurrent use.
type Engine struct {
	*body
	mask  func(string) (string, []redact.Hit)
	now   func() time.Time
	wrote func(changed bool)
	relax func(context.Context, *RelaxError) (means, asked bool)
	ruled func(context.Context, RulesChange)
	read  func(lines int)
	seal  func() (*memory.Seal, error)

	readOnly bool
}

// A body is the memory itself, which all who use it in this process share: its files are read once, and folded once.
type body struct {
	own     memory.Log
	queue   *review.Log
	journal *tombstone.Journal

	mu     sync.Mutex  // guards what follows
	logs   []*follower // the own log first
	folded *memory.State
	behind bool // the followers have read what folded does not know
	marks  tombstone.Marks
	back   []memory.ID // what was erased and is there again, as folded knows it
}

// New returns an Engine over the logs of o. It reads nothing yet.
func New(o Options) *Engine {
	b := &body{own: o.Own, queue: o.Queue, journal: o.Erased}
	b.logs = append(b.logs, &follower{log: o.Own, own: true})
	for _, r := range o.Replicas {
		b.logs = append(b.logs, &follower{log: r.Log, given: r.Name, name: r.Name, ceiling: r.Ceiling, by: r.By})
	}
	return Share(&Engine{body: b}, o)
}

// Share returns the same memory for somebody else, whose clock, masking and questions are those of o. Its logs, its queue and its list
// of what was erased are those of e, whatever o says.
func Share(e *Engine, o Options) *Engine {
	return &Engine{
		body: e.body, mask: o.Mask, now: o.Now, wrote: o.Wrote, read: o.Read, readOnly: o.ReadOnly,
		relax: o.Relax, ruled: o.Ruled, seal: o.Seal,
	}
}

// State returns the memory as it is now: what was appended since the last call
// is read, by whomever it was written, and all of it again if a person edited
// the file. The State may be kept; it does not change.
//
// A replica that cannot be read brings nothing new, and is in the error
// beside a State that is still good, and so is a *tombstone.ReturnedError; State is nil only
// if the own log cannot be read.
func (e *Engine) State(ctx context.Context) (*memory.State, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	faults, err := e.catchUp(ctx)
	if err != nil {
		return nil, err
	}
	s := e.fold()
	return s, errors.Join(faults, e.tellErased())
}

// catchUp reads what was appended to any of the logs. faults are about the
// replicas, err about the own log.
func (e *Engine) catchUp(ctx context.Context) (faults, err error) {
	var list []error
	for i, f := range e.logs {
		changed, err := f.read(ctx)
		e.behind = e.behind || changed
		switch {
		case err == nil:
		case i == 0:
			return nil, fmt.Errorf("read memory: %w", err)
		default:
			list = append(list, fmt.Errorf("read the replica %s: %w", f.name, err))
		}
	}
	if err := e.readMarks(); err != nil {
		list = append(list, err)
	}
	return errors.Join(list...), nil
}

// tellRead reports how many lines were read.
func (e *Engine) tellRead() {
	if e.read == nil {
		return
	}
	lines := 0
	for _, f := range e.logs {
		lines += len(f.entries)
	}
	e.read(lines)
}

// fold gives the state of what was read.
func (e *Engine) fold() *memory.State {
	if e.folded == nil || e.behind {
		e.back = e.returned()
		e.tellRead()
		e.folded, e.behind = memory.Fold(e.lines()...), false
	}
	return e.folded
}

// foldWith gives the state of what was read and of later, which follows in the
// own log.
func (e *Engine) foldWith(later []memory.Entry) *memory.State {
	own := e.logs[0]
	if len(later) == 0 && own.torn == nil || len(later) == 1 && own.isTorn(later[0]) {
		return e.fold() // nobody got in between
	}
	all := e.lines()
	all[0].Entries = append(own.entries[:len(own.entries):len(own.entries)], later...)
	for _, l := range later {
		if all[0].Log == "" && l.Meta != nil {
			all[0].Log = l.Meta.Log
		}
	}
	return memory.Fold(all...)
}

func (e *Engine) lines() []memory.Lines {
	all := make([]memory.Lines, len(e.logs))
	for i, f := range e.logs {
		all[i] = f.lines()
	}
	if len(e.back) > 0 {
		all = append(all, tombstone.Lines(e.back))
	}
	return all
}
