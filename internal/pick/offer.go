package pick

import (
	"context"
	"slices"
	"strings"

	"ken/internal/app"
	"ken/internal/index"
	"ken/internal/memory"
	"ken/internal/view"
)

// An Offer is what words may mean that are to be forgotten: memories and turns of conversations, of which a person says which.
type Offer struct {
	What  string
	Found []app.Found       // the memories, those that say it first
	Notes map[string]string // by reference: what to know of one beside its text
	Said  app.Mentions      // what says it; its Turns are those that no memory of it taught
}

// about finds all that says what is to be forgotten, memories and conversations. Nothing is an error that wraps ErrNoMatch.
func about(ctx context.Context, h *app.View, what string) (*Offer, error) {
	all, err := app.MentionsOf(ctx, h, what)
	if err != nil {
		return nil, err
	}
	o := &Offer{What: what, Said: all.Beside()}
	if o.Found, o.Notes, err = mentioned(ctx, h, o.Said, what); err != nil {
		return nil, err
	}
	if len(o.Found)+len(o.Said.Turns) == 0 {
		return nil, noMatch(what)
	}
	return o, nil
}

// mentioned are the memories that say something, and those that are found by its words, with
// what a person should know of each beside its text.
func mentioned(
	ctx context.Context, h *app.View, all app.Mentions, what string,
) (found []app.Found, notes map[string]string, err error) {
	notes = make(map[string]string)
	for i := range all.Items {
		it := &all.Items[i]
		found = append(found, app.FoundItem(&it.Item))
		switch {
		case it.Was != "":
			notes[it.Ref()] = " (said before: " + view.Excerpt(h.Keys.MaskText(it.Was), 60) + ")"
		case it.Replaced:
			notes[it.Ref()] = " (was replaced)"
		}
	}
	if app.SmallName(what) { // a name: the word itself stands anywhere
		return found, notes, nil
	}
	l, err := app.OpenLibrary(ctx, h, index.Memory)
	if err != nil {
		return nil, nil, err
	}
	like, err := l.Find(ctx, app.Query{Text: what})
	if err != nil {
		return nil, nil, err
	}
	for _, f := range like {
		if len(found) < MostListed && !slices.Contains(RefsOf(found), f.Ref) {
			found = append(found, f)
		}
	}
	return found, notes, nil
}

// All is the target with all that is offered.
func (o *Offer) All(ctx context.Context, h *app.View) (Target, error) {
	return o.Taken(ctx, h, RefsOf(o.Found), true)
}

// Taken is the target with the memories that references name, and with the turns where said.
func (o *Offer) Taken(ctx context.Context, h *app.View, refs []string, said bool) (t Target, err error) {
	t.Named = true
	if t.Items, err = itemsOf(ctx, h, refs); err == nil && said {
		for _, turn := range o.Said.Turns {
			t.Turns = append(t.Turns, turn.Turn)
		}
	}
	return t, err
}

// Read reads an answer to an offer of memories and turns: "all" is both, "said" the turns alone, and numbers are memories.
// Errors: it names what was not offered.
func (o *Offer) Read(answer string) (refs []string, said bool, err error) {
	switch answer = strings.ToLower(strings.TrimSpace(answer)); answer {
	case "all", "y", "yes":
		return RefsOf(o.Found), true, nil
	case "said":
		return nil, true, nil
	}
	refs, err = Reading{}.Chosen(RefsOf(o.Found), answer)
	return refs, false, err
}

// itemsOf are the memories of references.
func itemsOf(ctx context.Context, h *app.View, refs []string) ([]memory.Item, error) {
	s, err := h.Memory.State(ctx)
	if err != nil {
		return nil, err
	}
	var items []memory.Item
	for _, ref := range refs {
		id, err := memory.ParseID(ref)
		if err != nil {
			return nil, err
		}
		it, _ := s.Get(id)
		items = append(items, it)
	}
	return items, nil
}
