package app

import (
	"context"
	"maps"
	"slices"
	"sync"

	"ken/internal/index/live"
	"ken/internal/memory"
	"ken/internal/view/why"
)

// Now finds the items of refs as they stand at a moment, for the report of an answer that
// was just given: what it had was active a moment ago, and is read from the index
// where that is good. Only for what is not there any more all of the memory is folded.
// It is nil if nothing can be read, which was reported already. numbered says that their
// lines are to be counted.
func Now(ctx context.Context, at *Moment, numbered bool, refs ...string) func(ref string) (memory.Item, memory.Status) {
	a := at.View()
	m, err := at.Memory(ctx)
	if err != nil {
		return nil
	}
	found := make(map[string]*memory.Item, len(refs))
	for _, ref := range refs {
		if it, ok := known(m, ref); ok {
			found[ref] = &it
		}
	}
	if numbered {
		if err := m.Number(slices.Collect(maps.Values(found))...); err != nil {
			a.Memory.Invalidate()
			found = nil
		}
	}
	folded := sync.OnceValue(func() func(string) (memory.Item, memory.Status) {
		s, err := a.Memory.State(ctx)
		if err != nil {
			return func(string) (memory.Item, memory.Status) { return memory.Item{}, memory.StatusUnknown }
		}
		return why.In(s)
	})
	return func(ref string) (memory.Item, memory.Status) {
		if it := found[ref]; it != nil {
			return *it, memory.StatusActive
		}
		return folded()(ref)
	}
}

// known is an active item of a memory.
func known(m *live.Memory, ref string) (memory.Item, bool) {
	corpus, doc, ok := m.Find(ref)
	if !ok {
		return memory.Item{}, false
	}
	it, err := m.Item(corpus, doc)
	return it, err == nil
}
