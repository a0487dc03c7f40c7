package app

import (
	"ken/internal/memory"
	"ken/internal/session"
	"ken/internal/wording"
)

// A text is looked for in other turns than the one that taught it if it has so many
// words or bytes: shorter ones stand in sentences about something else.
const (
	repeatWords = 3
	repeatBytes = 16
)

// Repeats are the texts of what was forgotten, which other turns than the ones that
// taught it may repeat: an answer that quotes it, say. A text that an active item
// states as well is none.
func Repeats(s *memory.State) *wording.Set {
	gone := s.With(memory.StatusForgotten)
	if len(gone) == 0 {
		return nil
	}
	stated := make(map[string]bool)
	for _, it := range s.Items() {
		stated[wording.Normal(it.Record.Content)] = true
	}
	var texts []string
	for _, it := range gone {
		text := it.Record.Content
		if n := wording.Normal(text); !stated[n] && (len(n) >= repeatBytes || len(wording.Words(n)) >= repeatWords) {
			texts = append(texts, text)
		}
	}
	return wording.NewSet(texts...)
}

// Hidden says of the turns of a conversation which must not come back: they taught
// something that was forgotten, or repeat it.
func Hidden(s *memory.State, h session.Header) func(session.Turn) bool {
	hidden, repeated := s.HiddenTurns(), Repeats(s)
	return func(t session.Turn) bool {
		return hidden.Has(h.Session, t.N) || h.Copied(t.N) && hidden.Has(h.CopiedFrom, t.N) || repeated.In(t.Content)
	}
}
