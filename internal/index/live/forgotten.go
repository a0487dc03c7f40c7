package live

import (
	"maps"
	"slices"
	"strings"

	"ken/internal/index"
	"ken/internal/memory"
	"ken/internal/session"
	"ken/internal/text"
)

// A text is looked for in other turns than the one that taught it if it has so
// many words or bytes: shorter ones stand in sentences about something else.
const (
	repeatWords = 3
	repeatBytes = 16
)

// A Forgotten says which turns of conversations must not come back: those that
// taught something that was forgotten, and those that repeat the whole of it, as an
// answer that quotes it does.
type Forgotten struct {
	hidden   memory.Hidden // turns that taught something, and whole conversations
	texts    []string      // that are looked for
	repeated *text.Matcher
}

// ForgottenIn returns what is forgotten in a memory. A text that an active item states
// as well is not.
func ForgottenIn(s *memory.State) Forgotten {
	var texts []string
	for _, w := range forgottenWordings(s) {
		texts = append(texts, w.content)
	}
	return newForgotten(s.HiddenTurns(), texts)
}

// newForgotten is the set of turns that taught something, and of texts.
func newForgotten(hidden memory.Hidden, texts []string) Forgotten {
	return Forgotten{hidden: hidden, texts: texts, repeated: text.NewMatcher(texts...)}
}

// A wording is what an item says, or said before an edit.
type wording struct {
	memory.Item
	content string
	edits   int // how many edits of its text it is behind
}

// forgottenWordings are those of forgotten items that are looked for elsewhere.
func forgottenWordings(s *memory.State) []wording {
	edits := make(map[memory.ID]int)
	var gone []wording
	for it, content := range s.Reworded(memory.StatusForgotten) {
		gone = append(gone, wording{it, content, edits[it.ID]})
		edits[it.ID]++
	}
	for it := range s.Each(memory.StatusForgotten) {
		gone = append(gone, wording{it, it.Record.Content, edits[it.ID]})
	}
	if len(gone) == 0 {
		return nil
	}
	stated := make(map[string]bool)
	for it := range s.Each(memory.StatusActive) {
		stated[text.Normal(it.Record.Content)] = true
	}
	return slices.DeleteFunc(gone, func(w wording) bool {
		n := text.Normal(w.content)
		return stated[n] || !longEnough(n)
	})
}

// ReplacedIn returns what is so no more in a memory: the texts of what was replaced, and those
// that an edit took the place of, but for those that stand within what is in force.
func ReplacedIn(s *memory.State) *text.Matcher {
	old := make(map[string]bool)
	add := func(content string) {
		if n := text.Normal(content); longEnough(n) {
			old[n] = true
		}
	}
	for it := range s.Each(memory.StatusSuperseded) {
		add(it.Record.Content)
	}
	for _, content := range s.Reworded(memory.StatusActive, memory.StatusSuperseded) {
		add(content)
	}
	if len(old) == 0 {
		return nil
	}
	any := text.NewMatcher(slices.Collect(maps.Keys(old))...)
	for it := range s.Each(memory.StatusActive) {
		if !any.In(it.Record.Content) {
			continue
		}
		has := text.Normal(it.Record.Content)
		maps.DeleteFunc(old, func(n string, _ bool) bool { return strings.Contains(has, n) })
	}
	return text.NewMatcher(slices.Collect(maps.Keys(old))...)
}

// Repeated reports whether turns that repeat a text are hidden where it is forgotten.
func Repeated(said string) bool { return longEnough(text.Normal(said)) }

// longEnough reports whether a text, in its normal form, is looked for elsewhere.
func longEnough(normal string) bool {
	return len(normal) >= repeatBytes || len(text.Words(normal)) >= repeatWords
}

// Of reports of a turn of the conversation with the header h whether it is one.
func (f Forgotten) Of(h session.Header) func(session.Turn) bool {
	return func(t session.Turn) bool {
		return f.hidden.Has(h.Session, t.N) || h.Copied(t.N) && f.hidden.Has(h.CopiedFrom, t.N) || f.Repeats(t.Content)
	}
}

// Hidden returns the turns that taught something, and whole conversations.
func (f Forgotten) Hidden() memory.Hidden { return f.hidden }

// Repeats reports whether a text has the whole of something in it.
func (f Forgotten) Repeats(text string) bool { return f.repeated.In(text) }

// Title reports whether what a conversation is called is one: what it began with, or what
// the person called it.
func (f Forgotten) Title(l session.Listing) bool {
	if l.Title != l.First {
		return f.Repeats(l.Title) || f.hidden.Sessions[l.Header.Session]
	}
	return f.Of(l.Header)(session.Turn{N: max(l.FirstN, 1), Content: l.First})
}

// queryTerms are the terms by which an index finds what repeats a text: those that all
// of it have. Of an address or another one or two words nothing is sure, and these
// are all its words; what has it in a longer word, or escaped for a program, is
// known when it is read. See lateHits.
func queryTerms(text string) []index.Term {
	words := index.Inner(text)
	if len(words) > 0 {
		return words
	}
	for _, t := range index.Terms(text) {
		if t.Form == index.Word {
			words = append(words, t)
		}
	}
	return words
}

// hides reports whether a document of the session is forgotten.
func (f Forgotten) hides(id string, d *index.Document) bool {
	if f.hidden.Sessions[id] {
		return true
	}
	if d.In == index.Sessions {
		if ref, err := session.ParseRef(d.Ref); err == nil && f.hidden.Has(id, ref.Turn) {
			return true
		}
	}
	return f.Repeats(d.Content)
}
