package app

import (
	"context"
	"time"

	"ken/internal/engine"
	"ken/internal/memory"
	"ken/internal/memory/asof"
)

// ItemFilter says which memories are wanted.
type ItemFilter struct {
	Scope string   // "": any; else as place.Place.Resolve takes it
	Kinds []string // none: any; older names too
	Past  bool     // also those that do not hold
	// AsOf is the date that was asked for: what counts was recorded by then, and holds
	// then. The zero time is that nobody asked for one: every line counts, whatever
	// the clock of its writer said, and what holds is what holds now.
	AsOf time.Time
}

// A Selection is what Items found, of one moment.
type Selection struct {
	State *memory.State // all of the memory, as it is now
	At    time.Time     // the date that was asked for, or the one reading of the clock
	Items *asof.Listing // the memories wanted, newest first, with how they stand
}

// Items returns the memories wanted. A kind that nobody could have stated and no item
// has is an *engine.KindError.
func Items(ctx context.Context, a *View, w ItemFilter) (Selection, error) {
	now := a.Now() // read once: two readings would be two moments
	s, err := a.Memory.State(ctx)
	if err != nil {
		return Selection{}, err
	}
	a.Memory.TellProblems(s)
	sel := Selection{State: s, At: now}
	told := s
	if !w.AsOf.IsZero() {
		sel.At, told = w.AsOf, asof.Recorded(s, w.AsOf, now)
	}
	sel.Items = asof.List(told, sel.At)
	if err = ofKinds(sel.Items, w.Kinds); err != nil {
		return sel, err
	}
	full := ""
	if w.Scope != "" {
		if full, err = a.Memory.FullScope(ctx, w.Scope); err != nil {
			return sel, err
		}
	}
	if full != "" || !w.Past {
		sel.Items.Keep(func(it asof.Standing) bool {
			return (full == "" || a.Here.Place().Same(string(it.Record.Scope), full)) &&
				(w.Past || it.Status == memory.StatusActive.String())
		})
	}
	return sel, nil
}

// ofKinds keeps the items of the kinds, any if there are none. A kind that nobody
// could have stated and no item has is a slip of the finger.
func ofKinds(items *asof.Listing, kinds []string) error {
	if len(kinds) == 0 {
		return nil
	}
	there, wanted := make(map[memory.Kind]bool), make(map[memory.Kind]bool)
	for it := range items.Each() {
		there[it.Record.Kind] = true
	}
	for _, name := range kinds {
		k, _ := memory.ParseKind(name)
		if (!k.Known() || k.Changes()) && !there[k] {
			return &engine.KindError{Kind: memory.Kind(name)}
		}
		wanted[k] = true
	}
	items.Keep(func(it asof.Standing) bool { return wanted[it.Record.Kind] })
	return nil
}
