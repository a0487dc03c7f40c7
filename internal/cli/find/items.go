package find

import (
	"context"
	"slices"

	"ken/internal/cli/app"
	"ken/internal/engine"
	"ken/internal/memory"
)

// Wanted says which active memories are wanted.
type Wanted struct {
	Scope string   // "": any; else as place.Place.Resolve takes it
	Kinds []string // none: any; older names too
	Past  bool     // also those that have expired, or are not valid yet
}

// Items are the memories wanted, newest first. A kind that nobody could have stated
// and no item has is an *engine.KindError.
func Items(ctx context.Context, a *app.App, w Wanted) ([]memory.Item, error) {
	s, err := a.State(ctx)
	if err != nil {
		return nil, err
	}
	a.TellProblems(s)
	items, err := ofKinds(slices.Clone(s.Items()), w.Kinds)
	if err != nil {
		return nil, err
	}
	if now := a.Env.Now(); !w.Past {
		items = slices.DeleteFunc(items, func(it memory.Item) bool { return !it.Current(now) })
	}
	if w.Scope == "" {
		return items, nil
	}
	full, err := a.FullScope(ctx, w.Scope)
	if err != nil {
		return nil, err
	}
	here := a.Place()
	return slices.DeleteFunc(items, func(it memory.Item) bool { return !here.Same(string(it.Record.Scope), full) }), nil
}

// ofKinds keeps the items of the kinds, any if there are none. A kind that nobody
// could have stated and no item has is a slip of the finger.
func ofKinds(items []memory.Item, kinds []string) ([]memory.Item, error) {
	if len(kinds) == 0 {
		return items, nil
	}
	wanted := make(map[memory.Kind]bool)
	for _, name := range kinds {
		k, _ := memory.ParseKind(name)
		has := func(it memory.Item) bool { return it.Record.Kind == k }
		if (!k.Known() || k.Changes()) && !slices.ContainsFunc(items, has) {
			return nil, &engine.KindError{Kind: memory.Kind(name)}
		}
		wanted[k] = true
	}
	return slices.DeleteFunc(items, func(it memory.Item) bool { return !wanted[it.Record.Kind] }), nil
}
