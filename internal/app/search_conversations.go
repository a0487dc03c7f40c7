package app

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"

	"ken/internal/index"
	"ken/internal/index/live"
	"ken/internal/memory"
	"ken/internal/session"
)

// A Conversation is a conversation as a person finds it again.
type Conversation struct {
	session.Listing
	Here      bool // it was held where the person stands
	Imported  bool // it is a transcript of another program
	Forgotten bool // its title repeats what was forgotten, and is left out
}

// HeldConversations returns all conversations, the one that was written to last first, those of
// other programs among them. What went wrong on the way is a warning: what cannot be
// read is left out, and without the memory no title is left out as forgotten.
func HeldConversations(ctx context.Context, h *View) (list []Conversation, warnings []error) {
	each, err := EachConversation(ctx, h)
	if err != nil {
		warnings = append(warnings, err)
	}
	for t, err := range each {
		if err != nil {
			warnings = append(warnings, err)
			continue
		}
		list = append(list, t)
	}
	slices.SortStableFunc(list, func(a, b Conversation) int {
		return cmp.Or(b.Written.Compare(a.Written), strings.Compare(b.Path, a.Path))
	})
	return list, warnings
}

// Called is what the conversation is called where people choose from several.
func (c Conversation) Called() string {
	switch {
	case c.Forgotten:
		return "[forgotten]"
	case c.Title == "":
		return "(no words)"
	}
	return c.Title
}

// EachConversation yields what Conversations returns while it is read, mostly the one that began last
// first. The sequence may be read on another goroutine, while nobody else uses h. The
// error is a warning, that of the memory.
func EachConversation(ctx context.Context, h *View) (iter.Seq2[Conversation, error], error) {
	var gone live.Forgotten
	s, err := h.Memory.State(ctx)
	if err == nil {
		gone = live.ForgottenIn(s)
	}
	dir := h.Conversations.Dir()
	return func(yield func(Conversation, error) bool) {
		for _, d := range []session.Dir{dir, dir.Imports()} {
			imported := d.Path != dir.Path
			for l, err := range d.Each() {
				t := Conversation{Listing: l, Imported: imported, Here: !imported && err == nil && h.Conversations.IsHere(l.Header)}
				if err == nil && gone.Title(l) {
					t.Forgotten, t.Title, t.First = true, "", ""
				}
				if ctx.Err() != nil || !yield(t, err) {
					return
				}
			}
		}
	}, err
}

// SaidIn returns the conversations in which something about text was said, by their ids, best
// first, each with the turn that says most of it. What was forgotten finds none.
func SaidIn(ctx context.Context, h *View, text string) ([]Found, error) {
	l, err := OpenLibrary(ctx, h, index.Sessions)
	if err != nil {
		return nil, err
	}
	hits, err := l.Find(ctx, Query{Text: text})
	if err != nil {
		return nil, err
	}
	var found []Found
	for _, f := range hits {
		ref, err := session.ParseRef(f.Ref)
		if err != nil || slices.ContainsFunc(found, func(o Found) bool { return o.Ref == ref.Session }) {
			continue
		}
		f.Ref = ref.Session
		found = append(found, f)
	}
	return found, nil
}

// Hides returns which turns of a conversation are not shown, since what they taught or said is
// forgotten in a memory.
func Hides(s *memory.State, h session.Header) func(session.Turn) bool {
	return live.ForgottenIn(s).Of(h)
}
