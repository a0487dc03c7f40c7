package find

import (
	"context"
	"sync"

	"ken/internal/cli/app"
	"ken/internal/memory"
	"ken/internal/shelf"
	"ken/internal/view/why"
)

// Now finds items as they stand now, for the report of an answer that was just
// given: what it had was active a moment ago, and is read from the index where that
// is good. Only for what is not there any more all of the memory is folded. It is
// nil if nothing can be read, which was told already.
func Now(ctx context.Context, a *app.App) func(ref string) (memory.Item, memory.Status) {
	m, err := a.Known(ctx)
	if err != nil {
		return nil
	}
	folded := sync.OnceValue(func() func(string) (memory.Item, memory.Status) {
		s, err := a.State(ctx)
		if err != nil {
			return func(string) (memory.Item, memory.Status) { return memory.Item{}, memory.StatusUnknown }
		}
		return why.In(s)
	})
	return func(ref string) (memory.Item, memory.Status) {
		if it, ok := known(m, ref); ok {
			return it, memory.StatusActive
		}
		return folded()(ref)
	}
}

// known is an active item of a memory, with its line.
func known(m *shelf.Memory, ref string) (memory.Item, bool) {
	corpus, doc, ok := m.Find(ref)
	if !ok {
		return memory.Item{}, false
	}
	it, err := m.Item(corpus, doc)
	if err == nil {
		it.Line, err = m.Line(&it)
	}
	return it, err == nil
}
