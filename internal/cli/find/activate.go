package find

import (
	"cmp"
	"context"
	"slices"

	"ken/internal/agent"
	"ken/internal/cli/app"
	"ken/internal/index"
	"ken/internal/memory"
	"ken/internal/memory/asof"
	"ken/internal/recall"
)

// Activator chooses what of the memory a question calls for, where the person
// stands then. Turns of conversations are never among it.
func Activator(a *app.App) func(context.Context, agent.Wanted, recall.Choice) (recall.Activation, error) {
	var l live
	return func(ctx context.Context, w agent.Wanted, block recall.Choice) (recall.Activation, error) {
		cfg, err := a.Settings()
		if err != nil {
			return recall.Activation{}, err
		}
		n := recall.Need{Query: a.Query(), Text: w.Text, Items: cfg.Memory.ActivateMaxItems, Standing: block}
		n.Tokens = cmp.Or(w.Tokens, cfg.Memory.ActivateMaxTokens)
		if n.Tokens <= 0 || n.Items <= 0 {
			return recall.Activation{}, nil
		}
		s, err := a.State(ctx)
		if err != nil {
			return recall.Activation{}, err
		}
		s = asof.Valid(s, n.At)
		n.Item = Active(s)
		return recall.Activate(ctx, l.corpora(s, n), n)
	}
}

// Active finds the active items of a memory.
func Active(s *memory.State) func(ref string) (memory.Item, bool) {
	return func(ref string) (memory.Item, bool) {
		id, err := memory.ParseID(ref)
		if err != nil {
			return memory.Item{}, false
		}
		it, status := s.Get(id.From(s.OwnLog()))
		return it, status == memory.StatusActive
	}
}

// A live is the active items of a memory as they are searched, from one question to
// the next.
type live struct {
	of    *memory.State
	items int
	c     []*index.Corpus
}

// corpora are what an activation searches: the active items, and nothing else. This
// is the one place that says where they come from.
func (l *live) corpora(s *memory.State, n recall.Need) []*index.Corpus {
	if docs := index.Items(s, n.At); l.of != s || l.items != len(docs) {
		l.of, l.items = s, len(docs)
		l.c = []*index.Corpus{index.NewScan(slices.Values(docs))}
	}
	return l.c
}
