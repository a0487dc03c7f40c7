package scrub

import (
	"ken/internal/memory"
	"ken/internal/text"
)

// ErasedSince finds what was said of items that are erased now and were not before. Nothing, where was is nil or the
// same state.
func ErasedSince(was, now *memory.State) *text.Matcher {
	if was == nil || was == now {
		return nil
	}
	var texts []string
	for _, it := range was.With(memory.StatusActive, memory.StatusWaiting, memory.StatusForgotten, memory.StatusSuperseded) {
		if now.Status(it.ID) == memory.StatusErased {
			texts = append(texts, it.Record.Content)
		}
	}
	return text.NewMatcher(texts...)
}
