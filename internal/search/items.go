package search

import (
	"context"
	"slices"
	"time"

	"ken/internal/engine"
	"ken/internal/home"
	"ken/internal/memory"
	"ken/internal/memory/asof"
)

// Filter says which memories are wanted.
type Filter struct {
	Scope string   // "": any; else as place.Place.Resolve takes it
	Kinds []string // none: any; older names too
	Past  bool     // also those that do not hold
	// AsOf is the date that was asked for: what counts was told by then, and holds
	// then. The zero time is that nobody asked for one: every line counts, whatever
	// the clock of its writer said, and what holds is what holds now.
	AsOf time.Time
}

// A Selection is the answer to Filter, of one moment.
type Selection struct {
	State *memory.State   // all of the memory, as it is now
	At    time.Time       // the date that was asked for, or the one reading of the clock
	Items []asof.Standing // the memories wanted, newest first, with how they stand
}

// Items are the memories wanted. A kind that nobody could have stated and no item
// has is an *engine.KindError.
func Items(ctx context.Context, a *home.Home, w Filter) (Selection, error) {
	now := a.Now() // read once: two readings would be two moments
	s, err := a.State(ctx)
	if err != nil {
		return Selection{}, err
	}
	a.TellProblems(s)
	sel := Selection{State: s, At: now}
	told := s
	if !w.AsOf.IsZero() {
		sel.At, told = w.AsOf, asof.Told(s, w.AsOf, now)
	}
	if sel.Items, err = ofKinds(asof.All(told, sel.At), w.Kinds); err != nil {
		return sel, err
	}
	full := ""
	if w.Scope != "" {
		if full, err = a.FullScope(ctx, w.Scope); err != nil {
			return sel, err
		}
	}
	sel.Items = slices.DeleteFunc(sel.Items, func(it asof.Standing) bool {
		return full != "" && !a.Place().Same(string(it.Record.Scope), full) ||
			!w.Past && it.Status != memory.StatusActive.String()
	})
	return sel, nil
}

// ofKinds keeps the items of the kinds, any if there are none. A kind that nobody
// could have stated and no item has is a slip of the finger.
func ofKinds(items []asof.Standing, kinds []string) ([]asof.Standing, error) {
	if len(kinds) == 0 {
		return items, nil
	}
	wanted := make(map[memory.Kind]bool)
	for _, name := range kinds {
		k, _ := memory.ParseKind(name)
		has := func(it asof.Standing) bool { return it.Record.Kind == k }
		if (!k.Known() || k.Changes()) && !slices.ContainsFunc(items, has) {
			return nil, &engine.KindError{Kind: memory.Kind(name)}
		}
		wanted[k] = true
	}
	return slices.DeleteFunc(items, func(it asof.Standing) bool { return !wanted[it.Record.Kind] }), nil
}
