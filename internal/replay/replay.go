package replay

import (
	"context"
	"math"
	"slices"
	"time"

	"ken/internal/app"
	"ken/internal/index"
	"ken/internal/memory"
	"ken/internal/memory/asof"
	"ken/internal/recall"
	"ken/internal/trace"
)

// A Past is an answer whose choice of memories is made again. That can be done since the
// choice is pure: of the same memory, question, place, uses and time it is the same.
type Past struct {
	Trace    trace.Trace
	Question string   // as it was typed
	Before   []string // the questions before it that were live, the newest first
	Scope    string   // where the person stood
}

// An Instead is what an answer would have been given without one memory.
type Instead struct {
	Trace trace.Trace
	// Exact reports whether the same way, with that memory, comes to what the answer was
	// given, to the last part of a score. Else something of that moment is not known any
	// more, and the Trace is what comes closest. Uses are noted by the second: where two runs
	// noted some in the second of one, several ways may come to it, and the first is taken.
	Exact bool
}

// Without makes the choice of an answer again, as if the memory id had been forgotten
// before it was asked. s is the memory as it is now.
func Without(ctx context.Context, a *app.View, s *memory.State, p Past, id memory.ID) (Instead, error) {
	asked := p.Trace.Asked
	if asked.IsZero() {
		asked = p.Trace.Time
	}
	then := asof.At(s, asked, a.Now())
	q := a.Moment().Query()
	q.At = asked
	if here := a.Here.Place(); here.Scope() != p.Scope {
		q.Holds = func(scope memory.Scope) bool { return here.Within(p.Scope, string(scope)) }
	}
	var best replayed
	for _, q.LastUse = range a.Uses.Before(cutoff(p.Trace, asked)) {
		got, err := replay(ctx, a, then, q, p)
		if err != nil {
			return Instead{}, err
		}
		if best.query.LastUse == nil || got.standing && !best.standing || got.exact {
			best = got
		}
		if best.exact {
			break
		}
	}
	return best.without(ctx, a, then, p, id)
}

// cutoff is up to when uses were known then.
func cutoff(t trace.Trace, asked time.Time) time.Time {
	if t.Uses.IsZero() {
		return asked
	}
	return t.Uses
}

// A replayed is a choice that was made again.
type replayed struct {
	query    recall.Query
	standing bool // the start-up block is the same
	exact    bool // and so is all else
}

// replay makes the choice again with all that there was, and compares.
func replay(ctx context.Context, a *app.View, then *memory.State, q recall.Query, p Past) (replayed, error) {
	block := background(a, then, q, p)
	got, err := chosen(ctx, then, q, p, block)
	if err != nil {
		return replayed{}, err
	}
	r := replayed{query: q, standing: slices.Equal(got.Standing(), p.Trace.Standing())}
	r.exact = r.standing && slices.EqualFunc(got.Chosen, p.Trace.Chosen, sameGiven)
	return r, nil
}

// without makes it as if the memory id had been forgotten.
func (r replayed) without(ctx context.Context, a *app.View, then *memory.State, p Past, id memory.ID) (Instead, error) {
	rest := asof.Without(then, id)
	block := background(a, rest, r.query, p)
	if !r.standing { // it was chosen of another moment: what of it is there still stands
		block = recall.Choice{Budget: p.Trace.Budget.Background}
		find := app.Active(rest)
		for _, g := range p.Trace.Chosen {
			if it, ok := find(g.Ref); ok && g.Standing {
				block.Chosen = append(block.Chosen, recall.Pick{Item: &it, Tokens: g.Tokens})
			}
		}
	}
	t, err := chosen(ctx, rest, r.query, p, block)
	t.N, t.Time, t.Context, t.Docs = p.Trace.N, p.Trace.Time, p.Trace.Context, p.Trace.Docs
	return Instead{Trace: t, Exact: r.exact}, err
}

// background is the start-up block of a memory, as big as it might have been then.
func background(a *app.View, s *memory.State, q recall.Query, p Past) recall.Choice {
	q.Tokens = p.Trace.Budget.Background
	if cfg, err := a.Settings.Read(); err == nil {
		q.Strategy = recall.Strategy(cfg.Memory.InjectStrategy)
	}
	return recall.Background(s.Items(), q)
}

// chosen is what a memory has for the question, beside a start-up block.
func chosen(ctx context.Context, s *memory.State, q recall.Query, p Past, block recall.Choice) (trace.Trace, error) {
	q.Tokens = p.Trace.Budget.Tokens
	n := recall.ActivationRequest{Query: q, Text: p.Question, Items: p.Trace.Budget.Items, Item: app.Active(s), Standing: block}
	if f, ok := recall.FollowOf(p.Question, p.Before); ok {
		n.Search = f.Search
	}
	if n.Tokens <= 0 || n.Items <= 0 {
		return trace.Of(block, recall.Activation{}), nil
	}
	found, err := recall.Activate(ctx, []*index.Corpus{index.NewScan(slices.Values(index.Items(s, q.At)))}, n)
	return trace.Of(block, found), err
}

// sameGiven reports whether a memory was given for the same reasons. A score that was
// written and read is the same to its last digit; adding up in another order is not.
func sameGiven(x, y trace.Given) bool {
	const little = 1e-9
	same := func(a, b recall.Part) bool {
		return a.Name == b.Name && math.Abs(a.Score-b.Score) <= little*max(1, math.Abs(a.Score))
	}
	return x.Ref == y.Ref && x.Standing == y.Standing && x.Tokens == y.Tokens && slices.EqualFunc(x.Parts, y.Parts, same)
}
