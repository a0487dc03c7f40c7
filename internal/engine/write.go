package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"ken/internal/conflict"
	"ken/internal/memory"
)

// A Receipt names the lines that a write appended. `undo` takes each of them back.
type Receipt struct {
	IDs []memory.ID // one for each thing asked for, in that order
	// Same is the item that says already what was to be remembered. Nothing was written then, and
	// IDs is empty. It is zero if there is none.
	Same memory.ID
	// Near are items that say nearly what was remembered now, in a scope that
	// holds there too, or contradict it: the latter first, then the nearest, at
	// most MostNear. Only if asked for.
	Near []Alike
	// Proposed has an entry for each thing asked for, if the actor may not write it. Nothing of it
	// is memory before a person says so, and IDs is empty.
	Proposed []Proposed
}

// Span returns the lines of one append as memory.ParseTyped reads them: "3", or "3-9"; "" if there
// are none.
func (r Receipt) Span() string {
	switch n := len(r.IDs); n {
	case 0:
		return ""
	case 1:
		return r.IDs[0].String()
	default:
		return r.IDs[0].String() + "-" + r.IDs[n-1].String()
	}
}

// An Alike is an item that is like a text.
type Alike struct {
	memory.Item
	// Relation is conflict.Same or conflict.Contradicts if the item hardly stands beside the
	// text, and Why says why. Else most of the words are the same.
	Relation conflict.Relation
	Why      string
}

// An attempt is what is to be appended, without ids and times, and the largest
// number that is spent.
type attempt struct {
	recs  []memory.Record
	spent int64
}

// A look finds the position from which an append looks at the log, and how to
// judge what follows there, under the lock.
type look func() (memory.Cursor, func(later []memory.Entry) (attempt, error), error)

// maxTries is how often a write begins again because a person edited the file
// between its being read and its being written to. More often than this in a
// row is no person.
const maxTries = 8

// write appends what plan makes of the state as it stands under the lock. plan
// may be called again when somebody got in between.
//
// What would relax a rule is a *RelaxError: see guard.
func (e *Engine) write(ctx context.Context, plan func(*memory.State) ([]memory.Record, error)) (Receipt, error) {
	var changed *RulesChange
	r, err := e.append(ctx, func() (memory.Cursor, func([]memory.Entry) (attempt, error), error) {
		// A replica that cannot be read must not keep the person from writing;
		// whoever reads the state gets the error.
		if _, err := e.catchUp(ctx); err != nil {
			return "", nil, err
		}
		return e.logs[0].at, func(later []memory.Entry) (attempt, error) {
			s := e.foldWith(later)
			recs, err := plan(s)
			for i := range recs {
				follow(s, &recs[i])
				e.cite(s, &recs[i])
			}
			if err == nil {
				changed, err = e.guard(ctx, s, recs)
			}
			return attempt{recs, s.MaxID("")}, err
		}, nil
	})
	if err == nil {
		e.tellRules(ctx, changed, r.IDs)
	}
	return r, err
}

// cite notes on a line that cites what it cites says now. Without a key nothing is noted.
func (e *Engine) cite(s *memory.State, rec *memory.Record) {
	if e.seal == nil || len(rec.Details().Cites) == 0 {
		return
	}
	seal, err := e.seal()
	if err != nil {
		return
	}
	seal.Cite(rec, func(id memory.ID) string {
		if it, _ := s.Get(id); it.Record != nil {
			return it.Record.Content
		}
		return ""
	})
}

// follow says on a line what it comes after in logs of other devices, whose clocks
// may be ahead of this one.
func follow(s *memory.State, rec *memory.Record) {
	d := rec.Details()
	switch {
	case rec.Kind.Shapes():
		targets := append([]memory.ID{rec.Target}, d.Targets...)
		d.After = s.LastChange(slices.DeleteFunc(targets, memory.ID.IsZero)...)
		if d.After.IsZero() {
			return
		}
	case !rec.Kind.Changes() && rec.Key != "":
		holders := s.Elsewhere(rec.Scope, rec.Key)
		if len(holders) == 0 {
			return
		}
		d.Supersedes = slices.Clone(d.Supersedes)
		for _, id := range holders {
			if !slices.Contains(d.Supersedes, id) {
				d.Supersedes = append(d.Supersedes, id)
			}
		}
	default:
		return
	}
	rec.Detail = &d // plan may share the one it had among lines
}

// append writes whole lines in one append.
func (e *Engine) append(ctx context.Context, begin look) (Receipt, error) {
	var err error
	for range maxTries {
		var r Receipt
		if r, err = e.try(ctx, begin); !errors.Is(err, memory.ErrStale) {
			return r, err
		}
	}
	return Receipt{}, err
}

func (e *Engine) try(ctx context.Context, begin look) (Receipt, error) {
	at, judge, err := begin()
	if err != nil {
		return Receipt{}, err
	}
	var (
		r       Receipt
		refused error // by judge: it says all there is to say
	)
	_, err = e.own.Append(ctx, at, func(later []memory.Entry) ([]memory.Record, error) {
		var v attempt
		if v, refused = judge(later); refused != nil {
			return nil, refused
		}
		r.IDs, refused = e.number(v)
		return v.recs, refused
	})
	switch {
	case err == nil:
		return r, nil
	case refused != nil:
		return Receipt{}, refused
	}
	return Receipt{}, fmt.Errorf("write memory: %w", err)
}

// number gives the records of v their ids and their time.
func (e *Engine) number(v attempt) ([]memory.ID, error) {
	ids := make([]memory.ID, len(v.recs))
	now := e.now().UTC().Truncate(time.Second)
	for i := range v.recs {
		v.spent++
		if v.spent > memory.MaxID {
			return nil, fmt.Errorf("the log names the id %d: no larger one is left", int64(memory.MaxID))
		}
		ids[i] = memory.Num(v.spent)
		v.recs[i].ID, v.recs[i].Time = ids[i], now
	}
	return ids, nil
}
