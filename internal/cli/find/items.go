package find

import (
	"context"
	"slices"
	"time"

	"ken/internal/cli/app"
	"ken/internal/engine"
	"ken/internal/memory"
	"ken/internal/memory/asof"
)

// Wanted says which memories are wanted.
type Wanted struct {
	Scope string    // "": any; else as place.Place.Resolve takes it
	Kinds []string  // none: any; older names too
	Past  bool      // also those that do not hold
	At    time.Time // when they hold, as far as was told by then; zero: now
}

// Items are the memories wanted, newest first, with how they stand. A kind that
// nobody could have stated and no item has is an *engine.KindError.
func Items(ctx context.Context, a *app.App, w Wanted) ([]asof.Standing, error) {
	s, err := a.State(ctx)
	if err != nil {
		return nil, err
	}
	a.TellProblems(s)
	now := a.Env.Now()
	if w.At.IsZero() {
		w.At = now
	}
	items, err := ofKinds(asof.All(asof.Told(s, w.At, now), w.At), w.Kinds)
	if err != nil {
		return nil, err
	}
	full := ""
	if w.Scope != "" {
		if full, err = a.FullScope(ctx, w.Scope); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(items, func(it asof.Standing) bool {
		return full != "" && !a.Place().Same(string(it.Record.Scope), full) ||
			!w.Past && it.Status != memory.StatusActive.String()
	}), nil
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
