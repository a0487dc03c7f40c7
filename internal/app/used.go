package app

import (
	"sync"

	"ken/internal/index/live"
)

// used reports which items of a memory were ever of use, by corpus and document. It
// reads what it has to when it is first asked.
func used(a *View, m *live.Memory) func(corpus int, doc int32) bool {
	known := sync.OnceValue(func() map[spot]bool {
		spots := make(map[spot]bool)
		for _, ref := range a.Uses.Refs() {
			if corpus, doc, ok := m.Find(ref); ok {
				spots[spot{corpus, doc}] = true
			}
		}
		return spots
	})
	return func(corpus int, doc int32) bool { return known()[spot{corpus, doc}] }
}
