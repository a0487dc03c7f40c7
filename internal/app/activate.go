package app

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"ken/internal/index"
	"ken/internal/index/live"
	"ken/internal/memory"
	"ken/internal/recall"
)

// An ActivationQuery says what memories are activated for.
type ActivationQuery struct {
	Text string // what it is about
	// Tokens is the budget in the place of the one in the settings; 0: that one; below
	// 0: nothing is activated.
	Tokens int
	// Before are the questions before it in this conversation, as they were typed, the
	// newest first.
	Before []string
	// Kinds are those that may be chosen; none: all.
	Kinds []memory.Kind
}

// Activate chooses what of the memory a question calls for, where the person stands
// then. Turns of conversations are never among it.
func Activate(ctx context.Context, m *Moment, w ActivationQuery, block recall.Choice) (recall.Activation, error) {
	a := m.View()
	if _, err := a.Settings.Read(); err != nil {
		return recall.Activation{}, err
	}
	tokens, items := a.Settings.Policies().Budget()
	n := recall.ActivationRequest{Text: w.Text, Items: items, Standing: block}
	if f, ok := recall.FollowOf(w.Text, w.Before); ok {
		n.Search = f.Search
	}
	budget := cmp.Or(w.Tokens, tokens)
	if budget <= 0 || n.Items <= 0 {
		return recall.Activation{}, nil
	}
	got, err := activate(ctx, m, n, w.Kinds, budget)
	if err != nil && ctx.Err() == nil { // the index is damaged, or a file is no longer what was indexed, though it looked so
		m.Invalidate()
		got, err = activate(ctx, m, n, w.Kinds, budget)
		if errors.Is(err, index.ErrChanged) {
			err = nil // once more: what did not change is still good
		}
	}
	return got, err
}

// CallUp is Activate for a question by itself. Without a start-up block before it, most is negative, and what of that block goes with
// every question is always; else the block of at most so many bytes stands there, and nothing of it is called up again.
func CallUp(
	ctx context.Context, m *Moment, question string, most int,
) (always recall.Choice, called recall.Activation, err error) {
	has, _, err := StandingBlock(ctx, m, most)
	if err != nil {
		return always, called, err
	}
	if most < 0 {
		has = has.Always()
		always = has
	}
	called, err = Activate(ctx, m, ActivationQuery{Text: question}, has)
	return always, called, err
}

// StandingBlock is the start-up block in at most so many bytes, a line for each memory, and how many lines are left out for that; all of
// it if most is negative.
func StandingBlock(ctx context.Context, m *Moment, most int) (block recall.Choice, left int, err error) {
	block, err = m.Background(ctx)
	if err != nil || most < 0 {
		return block, 0, err
	}
	fits, size := block.Chosen[:0:0], 0
	for _, p := range block.Chosen {
		if size+len(p.Line)+1 > most {
			left++
			continue
		}
		size += len(p.Line) + 1
		fits = append(fits, p)
	}
	block.Chosen = fits
	return block, left, nil
}

// activate chooses from what is known at a moment, in at most so many tokens.
func activate(
	ctx context.Context, at *Moment, n recall.ActivationRequest, kinds []memory.Kind, budget int,
) (recall.Activation, error) {
	a := at.View()
	m, err := at.Memory(ctx)
	if err != nil {
		return recall.Activation{}, err
	}
	n.Query = at.Query()
	n.Tokens = budget
	var corpora []*index.Corpus
	corpora, n.Item = active(m)
	if item := n.Item; len(kinds) > 0 {
		n.Item = func(ref string) (memory.Item, bool) {
			it, ok := item(ref)
			return it, ok && slices.Contains(kinds, it.Record.Kind)
		}
	}
	n.Used = used(a, m)
	if embeds(a) {
		n.Fuse = func(hits []recall.Hit, keep func(memory.Scope) bool) []recall.Hit {
			return fuseNear(ctx, a, nearQuery{
				Memory: m, Corpora: corpora, Text: n.Text, K: recall.Deepest,
				Keep: func(c *index.Corpus, r *index.Row) bool { return keep(memory.Scope(c.Name(r.Scope))) },
			}, hits)
		}
	}
	return recall.Activate(ctx, corpora, n)
}

// active are the active items of a memory as an activation searches them, and the
// items of what it found. This is the one place that says where they come from.
func active(m *live.Memory) (corpora []*index.Corpus, item func(ref string) (memory.Item, bool)) {
	seen := make(map[string]spot)
	for i, c := range m.Corpora {
		corpora = append(corpora, &index.Corpus{Rows: c.Rows, Names: c.Names, Reader: noting{c.Reader, i, seen}})
	}
	return corpora, func(ref string) (memory.Item, bool) {
		at, ok := seen[ref]
		if !ok {
			return memory.Item{}, false
		}
		it, err := m.Item(at.corpus, at.doc)
		return it, err == nil // the next question reports that it changed
	}
}

// A spot is where a document is.
type spot struct {
	corpus int
	doc    int32
}

// A noting reader notes which documents were read, by reference.
type noting struct {
	index.Reader
	corpus int
	seen   map[string]spot
}

// Document implements index.Reader.
func (r noting) Document(doc int32) (*index.Document, error) {
	d, err := r.Reader.Document(doc)
	if err == nil {
		r.seen[d.Ref] = spot{r.corpus, doc}
	}
	return d, err
}

// Active finds the active items of a state.
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
