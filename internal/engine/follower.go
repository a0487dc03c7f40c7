package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"ken/internal/memory"
)

// A follower is what was read of one log so far.
type follower struct {
	log     memory.Log
	own     bool
	given   string // the name that the log goes by whatever it says; "" for the own one
	ceiling memory.Origin
	by      string // the human act that lets in a log with a ceiling

	name    string // as given; else from the meta line, else as the log itself has it
	asked   bool   // the log has been asked for its name
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
	return memory.Lines{Log: f.name, Own: f.own, Ceiling: f.ceiling, By: f.by, Entries: entries}
}

// isTorn reports whether e is the torn line that f has read.
func (f *follower) isTorn(e memory.Entry) bool {
	return f.torn != nil && e.Bad != nil && e.Bad.Torn && e.Sum == f.torn.Sum
}

// read takes what follows the position of f, all of it anew if that position is
// gone, and reports whether there was anything new. After an error f is as it
// was.
func (f *follower) read(ctx context.Context) (changed bool, err error) {
	next := *f
	changed, err = next.readOn(ctx)
	if errors.Is(err, memory.ErrStale) {
		next = follower{log: f.log, own: f.own, given: f.given, ceiling: f.ceiling, by: f.by, name: f.given}
		changed = true
		_, err = next.readOn(ctx)
	}
	if err == nil && next.name == "" && (changed || !next.asked) {
		next.asked = true
		err = next.findName(ctx)
	}
	if err != nil {
		return false, err
	}
	*f = next
	return changed, nil
}

// readOn takes what follows the position of f.
func (f *follower) readOn(ctx context.Context) (changed bool, err error) {
	before := f.torn
	f.torn = nil
	for entry, err := range f.log.Records(ctx, f.at) {
		if err != nil && entry.Bad == nil {
			return changed, err
		}
		if entry.Bad != nil && entry.Bad.Torn {
			torn := entry.Entry
			f.torn = &torn
			break
		}
		if entry.Meta != nil && f.name == "" {
			f.name = entry.Meta.Log
		}
		f.at, changed = entry.At, true
		if n := len(f.entries); n == cap(f.entries) {
			f.entries = slices.Grow(f.entries, f.room(n))
		}
		f.entries = append(f.entries, entry.Entry)
	}
	if f.torn == nil {
		return changed || before != nil, nil
	}
	return changed || before == nil || before.Sum != f.torn.Sum, nil
}

// A guesser is a log that can estimate its length: about how many lines it has, judged by the lines
// before a position. It returns 0 if it cannot.
type guesser interface {
	Guess(at memory.Cursor) int
}

// room is for how many more entries there should be room after the first n: a list that
// doubles would leave half of it empty, and the one before behind.
func (f *follower) room(n int) int {
	const few = 1024
	if sized, ok := f.log.(guesser); ok && n >= few {
		if more := sized.Guess(f.at) - n; more > 0 {
			return more + more/64 + 64
		}
	}
	return n/4 + 64
}

// findName asks the log for its name. One that was written by hand has none
// inside, but this device may have named it, and other logs name its lines so.
func (f *follower) findName(ctx context.Context) error {
	tipper, ok := f.log.(memory.Tipper)
	if !ok {
		return nil
	}
	tip, err := tipper.Tip(ctx)
	if err != nil {
		return fmt.Errorf("find the log's name: %w", err)
	}
	f.name = tip.Name
	return nil
}

// named returns the largest number of a line of log that lines of f name.
// Whoever may not change log may not use up its numbers either.
func (f *follower) named(log string) int64 {
	var n int64
	if log == "" || f.ceiling.Rank() > 0 {
		return 0
	}
	for i := range f.entries {
		r := f.entries[i].Record
		for _, id := range [...]memory.ID{r.ID, r.Target} {
			if id.In(f.name).Log == log {
				n = max(n, id.N)
			}
		}
		for _, id := range r.Details().Targets {
			if id.In(f.name).Log == log {
				n = max(n, id.N)
			}
		}
	}
	return n
}
