package turn

import (
	"context"
	"fmt"

	"ken/internal/engine"
	"ken/internal/memory"
)

// Teach remembers a text that a line says, of a kind ("" is a fact) and for a scope, as a
// person says it ("" is everywhere). asked says that the line goes to a model and
// becomes the next turn, which taught it then; without one, nothing of the line is kept
// but the memory. If the memory says it already, the receipt has its Same, also beside an
// error, and that is noted as a use of it.
func (d *Dialog) Teach(ctx context.Context, text string, kind memory.Kind, scope string, asked bool) (engine.Receipt, error) {
	w, err := d.home.Memory.Writer()
	if err != nil {
		return engine.Receipt{}, err
	}
	full, err := d.scopeOf(ctx, scope)
	if err != nil {
		return engine.Receipt{}, err
	}
	return d.remember(ctx, w, engine.Draft{Kind: kind, Content: text, Scope: full, Source: d.said(asked), Near: true})
}

// Replace remembers a text in the place of the memory id, of its kind and key and where it
// holds. The rest is as in Teach.
func (d *Dialog) Replace(ctx context.Context, id memory.ID, text string, asked bool) (engine.Receipt, error) {
	s, err := d.home.Memory.State(ctx)
	if err != nil {
		return engine.Receipt{}, err
	}
	old, status := s.Get(id)
	if status != memory.StatusActive {
		return engine.Receipt{}, fmt.Errorf("#%s is %s", id, status)
	}
	w, err := d.home.Memory.Writer()
	if err != nil {
		return engine.Receipt{}, err
	}
	rec := old.Record
	return d.remember(ctx, w, engine.Draft{
		Kind: rec.Kind, Content: text, Scope: rec.Scope, Key: rec.Key, Tags: rec.Tags,
		Supersedes: []memory.ID{id}, Source: d.said(asked),
	})
}

// Suggest has a text that a line states wait for the person's yes. The rest is as in Teach.
func (d *Dialog) Suggest(ctx context.Context, text string, kind memory.Kind, scope string, asked bool) (engine.Proposed, error) {
	w, err := d.home.Memory.Writer()
	if err != nil {
		return engine.Proposed{}, err
	}
	full, err := d.scopeOf(ctx, scope)
	if err != nil {
		return engine.Proposed{}, err
	}
	list, err := w.Propose(ctx, engine.Suggestion{
		Record: memory.Record{Kind: kind, Content: text, Scope: full, Source: d.said(asked)},
		Why:    "you said it",
	})
	if err != nil || len(list) == 0 {
		return engine.Proposed{}, err
	}
	return list[0], nil
}

// remember keeps a draft, or notes that what it says was of use.
func (d *Dialog) remember(ctx context.Context, w *engine.Writer, draft engine.Draft) (engine.Receipt, error) {
	r, err := w.Remember(ctx, draft)
	if err != nil {
		return r, err
	}
	defer d.Changed(nil)
	if r.Same.IsZero() {
		return r, nil
	}
	d.home.Uses.Used(ctx, r.Same.String())
	if draft.Source != nil { // this turn says it too, and must not be found once it is forgotten
		_, err = w.Edit(ctx, r.Same, engine.Edit{Source: draft.Source})
	}
	return r, err
}

// scopeOf is the scope that a person means by a word.
func (d *Dialog) scopeOf(ctx context.Context, scope string) (memory.Scope, error) {
	if scope == "" || scope == string(memory.ScopeUser) {
		return "", nil
	}
	full, err := d.home.Memory.FullScope(ctx, scope)
	if err != nil {
		return "", err
	}
	d.home.Meetings.BeginPlace()
	return memory.Scope(full), nil
}

// said is where a line that goes to a model stands: in the next turn.
func (d *Dialog) said(asked bool) *memory.Source {
	if !asked || d.rec.ID() == "" {
		return nil
	}
	return &memory.Source{Session: d.rec.ID(), Turn: d.rec.Last() + 1, Channel: string(d.o.Channel)}
}
