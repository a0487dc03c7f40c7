package app

import (
	"context"
	"slices"
	"strings"

	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/index"
	"ken/internal/memory"
	"ken/internal/view"
)

// A Snapshot is what was known at one moment, as one actor may see it. It is safe for
// concurrent use.
type Snapshot struct {
	app *App
	who Actor
	at  Place
	lib *Library
	// reaches reports whether a scope may be asked for.
	reaches func(h *View, scope string) bool
}

// open reads what there is.
func (s *Snapshot) open(ctx context.Context, h *View) (err error) {
	in := []index.Source{index.Memory}
	if s.who.Kind == engine.Person { // turns of old sessions go to nobody else unasked
		in = append(in, index.Sessions, index.Commands)
	}
	s.lib, err = OpenLibrary(ctx, h, in...)
	return err
}

// A Question is what is looked for.
type Question struct {
	Text  string
	Limit int    // the most hits; 0: 10
	Scope string // only what is of it: user, here, repo, dir or a full one; "": what holds at the place
	Kinds []string
	// Embeddings also finds what means the same in other words, where the settings name a model for it, which is then
	// asked.
	Embeddings bool
}

// Recall returns what is found, best first. To find nothing is no error. A question without a
// word, and a kind or scope that is none, is a fault of kind Usage.
func (s *Snapshot) Recall(ctx context.Context, q Question) ([]view.Hit, error) {
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
	hits := []view.Hit{}
	err := s.app.with(s.who, s.at, func(h *View) error {
		if isFacts(q.Scope) {
			q.Scope = string(memory.ScopeUser)
		}
		scope := s.lib.Scope(q.Scope)
		if q.Scope != "" && !s.reaches(h, scope) {
			return outside(q.Scope)
		}
		found, err := s.lib.Find(ctx, Query{
			Text: q.Text, K: q.Limit, Scope: scope, Kinds: kinds, Here: q.Scope == "", Embeddings: q.Embeddings, Begun: true,
		})
		for _, f := range found {
			if s.who.Kind != engine.Person {
				f.Content = h.Keys.MaskText(f.Content)
			}
			hits = append(hits, f.Hit)
		}
		return err
	})
	return slices.Clip(hits), err
}
