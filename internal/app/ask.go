package app

import (
	"cmp"
	"context"
	"strings"
	"time"

	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/index"
	"ken/internal/memory"
	"ken/internal/view"
)

// A Question is what is looked for, to be shown.
type Question struct {
	Text  string
	Limit int    // the most hits; 0: 10
	Scope string // only what is of it: user, here, repo, dir or a full one; "": what holds where the actor stands
	Kinds []string
	// In is where it is looked for; none: where the actor may look unasked.
	In []index.Source
	// At is the moment that is looked at; the zero time: now.
	At time.Time
	// Anywhere finds memories of all places, where no scope is given.
	Anywhere bool
}

// Search returns what is found, best first: the one search of all faces, of the model and of the command line. Where the settings name
// an embedding model, what means the same in other words is found as well. To find nothing is no error. A question without a word, and a
// kind or scope that is none, is a fault of kind Usage.
func (v *View) Search(ctx context.Context, q Question) ([]Found, error) {
	if strings.TrimSpace(q.Text) == "" {
		return nil, fault.Usagef("search for what?")
	}
	if q.Limit < 0 {
		return nil, fault.Usagef("limit %d: want at least 1", q.Limit)
	}
	var kinds []memory.Kind
	for _, name := range q.Kinds {
		k, _ := memory.ParseKind(name)
		if !k.Known() || k.Changes() {
			return nil, &engine.KindError{Kind: memory.Kind(name)}
		}
		kinds = append(kinds, k)
	}
	if len(q.In) == 0 {
		q.In = []index.Source{index.Memory}
		if v.o.Actor.Kind == engine.Person { // turns of old sessions go to nobody else unasked
			q.In = append(q.In, index.Sessions, index.Commands)
		}
	}
	lib, err := OpenLibraryAt(ctx, v, q.At, q.In...)
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
	return lib.Find(ctx, Query{
		Text: q.Text, K: cmp.Or(q.Limit, 10), Scope: scope, Kinds: kinds, Here: q.Scope == "" && !q.Anywhere, Embeddings: true, Begun: true,
	})
}

// Recall is Search for a program: what is found as the actor may see it, masked for whoever is no person.
func (v *View) Recall(ctx context.Context, q Question) ([]view.Hit, error) {
	found, err := v.Search(ctx, q)
	hits := make([]view.Hit, len(found))
	for i, f := range found {
		hits[i] = f.Hit
		if v.o.Actor.Kind != engine.Person {
			hits[i].Content = v.Keys.MaskText(f.Content)
		}
	}
	return hits, err
}
