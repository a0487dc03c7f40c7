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

// A Forgotten says which turns of conversations must not come back: those that
// taught something that was forgotten, and those that repeat the whole of it, as an
// answer that quotes it does.
type Forgotten struct {
	hidden   memory.Hidden
	repeated *wording.Set
}

// ForgottenIn is what is forgotten in a memory. A text that an active item states
// as well is not.
func ForgottenIn(s *memory.State) Forgotten {
	f := Forgotten{hidden: s.HiddenTurns()}
	gone := s.With(memory.StatusForgotten)
	if len(gone) == 0 {
		return f
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
	f.repeated = wording.NewSet(texts...)
	return f
}

// Of reports of a turn of the conversation with the header h whether it is one.
func (f Forgotten) Of(h session.Header) func(session.Turn) bool {
	return func(t session.Turn) bool {
		return f.hidden.Has(h.Session, t.N) || h.Copied(t.N) && f.hidden.Has(h.CopiedFrom, t.N) || f.Repeats(t.Content)
	}
}

// Hidden are the turns that taught something, and whole conversations.
func (f Forgotten) Hidden() memory.Hidden { return f.hidden }

// Repeats reports whether a text has the whole of something in it.
func (f Forgotten) Repeats(text string) bool { return f.repeated.In(text) }

// Title reports whether what a conversation began with is one. Which turn the
// words are from is not known; mostly they are from the first.
func (f Forgotten) Title(l session.Listing) bool {
	return f.Of(l.Header)(session.Turn{N: 1, Content: l.First})
}
