package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"ken/internal/memory"
	"ken/internal/redact"
)

// A Replica is the log of another device of the same person: read, never
// written.
type Replica struct {
	Name string // the log's name, as its items are prefixed
	Log  memory.Log
	// Ceiling is the most trusted origin that its lines may claim; empty: as
	// written.
	Ceiling memory.Origin
}

// Options says what an Engine stands on.
type Options struct {
	Own      memory.Log
	Replicas []Replica
	// Mask replaces secrets in a text and says what it replaced; nil: nothing
	// is looked for.
	Mask func(string) (string, []redact.Hit)
	Now  func() time.Time // the clock; required
}

// An Engine reads and writes one memory. It is safe for concurrent use.
type Engine struct {
	own    memory.Log
	mask   func(string) (string, []redact.Hit)
	now    func() time.Time
	mu     sync.Mutex // guards what follows
	logs   []*follower
	folded *memory.State
}

// follower is what was read of one log so far.
type follower struct {
	log     memory.Log
	name    string // from the meta line, or as given
	own     bool
	ceiling memory.Origin
	entries []memory.Entry
	at      memory.Cursor // behind the last of entries
	torn    *memory.Entry // a last line without its end: read again each time
}

// lines gives what the fold takes. The slice is not written to afterwards: new
// entries only follow behind its end.
func (f *follower) lines() memory.Lines {
	entries := f.entries[:len(f.entries):len(f.entries)]
	if f.torn != nil {
		entries = append(entries, *f.torn)
	}
	return memory.Lines{Log: f.name, Own: f.own, Ceiling: f.ceiling, Entries: entries}
}

// New returns an Engine over the logs of o. It reads nothing yet.
func New(o Options) *Engine {
	e := &Engine{own: o.Own, mask: o.Mask, now: o.Now}
	e.logs = append(e.logs, &follower{log: o.Own, own: true})
	for _, r := range o.Replicas {
		e.logs = append(e.logs, &follower{log: r.Log, name: r.Name, ceiling: r.Ceiling})
	}
	return e
}

// State returns the memory as it is now: what was appended since the last call
// is read, by whomever it was written, and all of it again if a person edited
// the file. The State may be kept; it does not change.
//
// A replica that cannot be read costs its own items alone, and is told in the
// error beside a State that is still good; State is nil only if the own log
// cannot be read.
func (e *Engine) State(ctx context.Context) (*memory.State, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	changed := e.folded == nil
	var faults []error
	for i, f := range e.logs {
		more, err := f.read(ctx)
		if err != nil {
			if i == 0 {
				return nil, fmt.Errorf("read memory: %w", err)
			}
			faults = append(faults, fmt.Errorf("read the replica %s: %w", f.name, err))
		}
		changed = changed || more
	}
	if changed {
		lines := make([]memory.Lines, len(e.logs))
		for i, f := range e.logs {
			lines[i] = f.lines()
		}
		e.folded = memory.Fold(lines...)
	}
	return e.folded, errors.Join(faults...)
}

// read takes what follows the position of f, all of it if that position is
// gone, and reports whether there was anything new.
func (f *follower) read(ctx context.Context) (changed bool, err error) {
	changed, err = f.readOn(ctx)
	if errors.Is(err, memory.ErrStale) {
		f.entries, f.at, f.torn = nil, "", nil
		_, err = f.readOn(ctx)
		changed = true
	}
	return changed, err
}

func (f *follower) readOn(ctx context.Context) (changed bool, err error) {
	wasTorn := f.torn != nil
	f.torn = nil
	for entry, err := range f.log.Records(ctx, f.at) {
		var bad *memory.LineError
		if err != nil && !errors.As(err, &bad) {
			return changed, err
		}
		if bad != nil && bad.Torn {
			f.torn = &entry
			break
		}
		if entry.Meta != nil && f.name == "" {
			f.name = entry.Meta.Log
		}
		f.entries = append(f.entries, entry)
		f.at, changed = entry.At, true
	}
	return changed || wasTorn != (f.torn != nil), nil
}
