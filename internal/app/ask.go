package app

import (
	"context"
	"strings"

	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/index"
	"ken/internal/memory"
	"ken/internal/view"
)

// A Question is what is looked for.
type Question struct {
	Text  string
	Limit int    // the most hits; 0: 10
	Scope string // only what is of it: user, here, repo, dir or a full one; "": what holds at the place
	Kinds []string
}

// Recall returns what is found of all that is known now, best first, as the actor may see it: masked for whoever is no person. Where
// the settings name an embedding model, what means the same in other words is found as well. To find nothing is no error. A question
// without a word, and a kind or scope that is none, is a fault of kind Usage.
func (v *View) Recall(ctx context.Context, q Question) ([]view.Hit, error) {
	if strings.TrimSpace(q.Text) == "" {
		return nil, fault.Usagef("search for what?")
	}
	if q.Limit < 0 {
		return nil, fault.Usagef("limit %d: want at least 1", q.Limit)
	}
	if q.Limit == 0 {
		q.Limit = 10
	}
	var kinds []memory.Kind
	for _, name := range q.Kinds {
		k, _ := memory.ParseKind(name)
		if !k.Known() || k.Changes() {
			return nil, &engine.KindError{Kind: memory.Kind(name)}
		}
		kinds = append(kinds, k)
	}
	person := v.o.Actor.Kind == engine.Person
	in := []index.Source{index.Memory}
	if person { // turns of old sessions go to nobody else unasked
		in = append(in, index.Sessions, index.Commands)
	}
	lib, err := OpenLibrary(ctx, v, in...)
	if err != nil {
		return nil, err
	}
	if isFacts(q.Scope) {
		q.Scope = string(memory.ScopeUser)
	}
	scope := lib.Scope(q.Scope)
	if q.Scope != "" && !v.reaches(scope) {
		return nil, outside(q.Scope)
	}
	found, err := lib.Find(ctx, Query{
		Text: q.Text, K: q.Limit, Scope: scope, Kinds: kinds, Here: q.Scope == "", Embeddings: true, Begun: true,
	})
	hits := make([]view.Hit, len(found))
	for i, f := range found {
		hits[i] = f.Hit
		if !person {
			hits[i].Content = v.Keys.MaskText(f.Content)
		}
	}
	return hits, err
}
