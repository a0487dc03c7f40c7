package engine

import (
	"context"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"ken/internal/memory"
	"ken/internal/memory/logtest"
	"ken/internal/review"
	"ken/internal/rules"
)

// ruled is an engine with two rules and a queue, over which the person answers says.
func ruled(t *testing.T, says *bool) (*Engine, *[]RulesChange) {
	t.Helper()
	dir := t.TempDir()
	told := new([]RulesChange)
	o := Options{
		Own: logtest.NewMemory("laptop-7f3a"), Now: noon,
		Queue: &review.Log{Path: filepath.Join(dir, "review.jsonl"), Dir: dir, Now: noon},
		Ruled: func(_ context.Context, r RulesChange) { *told = append(*told, r) },
	}
	if says != nil {
		o.Relax = func(context.Context, *RelaxError) (bool, bool) { return *says, true }
	}
	e := New(o)
	for _, d := range []Draft{
		{Kind: memory.KindRule, Content: "ask before git push"},
		{Kind: memory.KindRule, Content: "be kind to cats", Key: "cats"},
		{Kind: memory.KindPref, Content: "never run npm publish"},
		{Content: "tea is green"},
	} {
		if _, err := e.As(typed).Remember(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	return e, told
}

// relaxings are what relaxes: every way in which a rule goes, is narrowed, or is replaced.
func relaxings() map[string]func(context.Context, *Writer) error {
	one := memory.Num(1)
	text, repo, key, gone := "ask before git push --force", memory.Scope("repo:a/b"), "cats", noon()
	return map[string]func(context.Context, *Writer) error{
		"forget":      func(ctx context.Context, w *Writer) error { _, err := w.Forget(ctx, "", one); return err },
		"forget pref": func(ctx context.Context, w *Writer) error { _, err := w.Forget(ctx, "", memory.Num(3)); return err },
		"forget prompt only": func(ctx context.Context, w *Writer) error {
			_, err := w.Forget(ctx, "", memory.Num(2))
			return err
		},
		"forget together": func(ctx context.Context, w *Writer) error {
			_, err := w.ForgetBulk(ctx, Bulk{IDs: []memory.ID{one, memory.Num(4)}})
			return err
		},
		"edit": func(ctx context.Context, w *Writer) error {
			_, err := w.Edit(ctx, one, Edit{Content: &text})
			return err
		},
		"edit scope": func(ctx context.Context, w *Writer) error { _, err := w.Edit(ctx, one, Edit{Scope: &repo}); return err },
		"edit expires": func(ctx context.Context, w *Writer) error {
			_, err := w.Edit(ctx, one, Edit{Expires: &gone})
			return err
		},
		"edit key of another": func(ctx context.Context, w *Writer) error {
			_, err := w.Edit(ctx, memory.Num(4), Edit{Key: &key})
			return err
		},
		"edit supersedes": func(ctx context.Context, w *Writer) error {
			_, err := w.Edit(ctx, memory.Num(4), Edit{Supersedes: &[]memory.ID{one}})
			return err
		},
		"undo": func(ctx context.Context, w *Writer) error { _, _, err := w.Undo(ctx, one); return err },
		"supersede": func(ctx context.Context, w *Writer) error {
			_, err := w.Remember(ctx, Draft{Content: "x", Supersedes: []memory.ID{one}})
			return err
		},
		"key": func(ctx context.Context, w *Writer) error {
			_, err := w.Remember(ctx, Draft{Content: "all cats are grey", Key: "cats"})
			return err
		},
		"plan": func(ctx context.Context, w *Writer) error {
			_, err := w.ApplyPlan(ctx, func(*memory.State) []memory.Record {
				return []memory.Record{{Kind: memory.KindForget, Target: one, By: "user"}}
			})
			return err
		},
		"erase": func(ctx context.Context, w *Writer) error {
			return w.Erase(ctx, func(context.Context) error { return nil }, one)
		},
		"return": func(ctx context.Context, w *Writer) error {
			s, err := w.State(ctx)
			if err != nil {
				return err
			}
			_, err = w.ReturnTo(ctx, 1, rules.Of(s))
			return err
		},
	}
}

// TestS104Relaxing: a rule holds less by the act of a person alone who was asked and said
// that they mean it: whatever the way, nobody's else, and not where nobody is there to be
// asked. A veto is told.
func TestS104Relaxing(t *testing.T) {
	t.Parallel()
	for name, do := range relaxings() {
		for who, c := range map[string]struct {
			actor Actor
			says  *bool
			want  bool
		}{
			"means it":      {typed, new(true), true},
			"does not":      {typed, new(false), false},
			"is not there":  {typed, nil, false},
			"is a model":    {Actor{Kind: Model}, new(true), false},
			"is an agent":   {Actor{Kind: Agent, Name: "cody"}, new(true), false},
			"is a tool":     {Actor{Kind: Tool}, new(true), false},
			"is a policy":   {Actor{Kind: Policy, Name: "tidy"}, new(true), false},
			"is a file":     {Actor{Kind: Import}, new(true), false},
			"is nobody":     {Actor{}, new(true), false},
			"is of no kind": {Actor{Kind: "king"}, new(true), false},
		} {
			e, told := ruled(t, c.says)
			before := rulesOf(t, e)
			*told = nil
			err := do(t.Context(), e.As(c.actor))
			after := rulesOf(t, e)
			relaxed := rules.Between(before, after).Effect == rules.Relaxes
			if relaxed != c.want || (err == nil) != c.want && c.actor.Kind == Person {
				t.Errorf("%s by who %s: relaxed %v, %v", name, who, relaxed, err)
			}
			var refused *RefusedError
			if c.actor.Kind == Person && err != nil && !errors.As(err, &refused) {
				t.Errorf("%s by who %s: %v is no refusal", name, who, err)
			}
			switch {
			case c.want && (len(*told) != 1 || (*told)[0].Vetoed || (*told)[0].Difference.Effect != rules.Relaxes):
				t.Errorf("%s by who %s: told %+v", name, who, *told)
			case who == "does not" && (len(*told) != 1 || !(*told)[0].Vetoed || len((*told)[0].Lines) > 0):
				t.Errorf("%s: the veto is told as %+v", name, *told)
			}
		}
	}
}

func rulesOf(t *testing.T, e *Engine) rules.Set {
	t.Helper()
	s, err := e.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return rules.Of(s)
}

// TestSuggestionsNeverRelax: what others suggest is not even proposed where a yes to it would
// relax a rule; and where it stands in the queue all the same, no yes to it does.
func TestSuggestionsNeverRelax(t *testing.T) {
	t.Parallel()
	e, _ := ruled(t, new(true))
	one := memory.Num(1)
	list := []Suggestion{
		{Record: memory.Record{Kind: memory.KindForget, Target: one}},
		{Record: memory.Record{Kind: memory.KindEdit, Target: one, Content: "ask before git push --force"}},
		{Record: memory.Record{Kind: memory.KindEdit, Target: memory.Num(2), Content: "never mind the cats"}},
		{Record: memory.Record{Kind: memory.KindFact, Content: "x", Detail: &memory.Detail{Supersedes: []memory.ID{one}}}},
		{Record: memory.Record{Kind: memory.KindFact, Content: "y", Key: "cats"}},
		{Record: memory.Record{
			Kind: memory.KindRule, Content: "ask before git push --tags", Detail: &memory.Detail{Supersedes: []memory.ID{one}},
		}},
	}
	for i := range list {
		list[i].Record.Origin = memory.OriginModel
	}
	for _, who := range []Actor{{Kind: Model}, {Kind: Agent, Name: "cody"}, {Kind: Policy, Name: "p"}, typed} {
		out, err := e.As(who).Propose(t.Context(), list...)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range out {
			if p.New || p.Known != Relaxing {
				t.Errorf("%s: %d became %+v", who.Kind, i, p)
			}
		}
	}
	if out, err := e.As(Actor{Kind: Model}).Propose(t.Context(), Suggestion{Record: memory.Record{
		Kind: memory.KindEdit, Target: one, Content: "never run git push", Origin: memory.OriginModel,
	}}); err != nil || !out[0].New {
		t.Errorf("what tightens is proposed: %+v, %v", out, err)
	}
	// It came into the queue by a hand, or before there was the rule.
	var ids []int64
	err := e.queue.Append(t.Context(), func(*review.Queue) (review.Draft, error) {
		var d review.Draft
		for _, g := range list {
			d.Proposals = append(d.Proposals, &review.Proposal{Of: review.OfChange, Record: g.Record, Hash: review.Hash(&g.Record)})
		}
		return d, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	pending, _, _, err := e.Queue(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	before, refused := rulesOf(t, e), 0
	for _, w := range pending {
		_, err := e.As(typed).Decide(t.Context(), w.Ref, Answer{Verdict: review.Yes})
		var r *RelaxError
		if errors.As(err, &r) && r.Never {
			refused++
		}
		ids = append(ids, w.Proposal.ID)
	}
	if d := rules.Between(before, rulesOf(t, e)); refused != len(list) || d.Effect == rules.Relaxes {
		t.Errorf("of %d waiting %d are refused: %s", len(ids), refused, d.Effect)
	}
}

// TestTogether: two rules hold the same, so that either may go; what takes both away relaxes, though no line of it does
// alone. A policy leaves the second where it is and does the rest, and no yes to suggestions takes both.
func TestTogether(t *testing.T) {
	t.Parallel()
	twice := func(t *testing.T) (*Engine, []memory.Record) {
		e, _ := ruled(t, new(true))
		var recs []memory.Record
		for _, text := range []string{"ask before cargo publish", "Ask before cargo publish!"} {
			r, err := e.As(typed).Remember(t.Context(), Draft{Kind: memory.KindLesson, Content: text})
			if err != nil {
				t.Fatal(err)
			}
			recs = append(recs, memory.Record{Kind: memory.KindForget, Target: r.IDs[0]})
		}
		return e, append(recs, memory.Record{Kind: memory.KindForget, Target: memory.Num(4)})
	}
	t.Run("policy", func(t *testing.T) {
		t.Parallel()
		e, recs := twice(t)
		before := rulesOf(t, e)
		for i := range recs {
			recs[i].By = "policy:tidy"
		}
		r, err := e.As(Actor{Kind: Policy, Name: "tidy"}).ApplyPlan(t.Context(), func(*memory.State) []memory.Record { return recs })
		if d := rules.Between(before, rulesOf(t, e)); err != nil || len(r.IDs) != 2 || d.Effect == rules.Relaxes {
			t.Errorf("%d lines, %s, %v", len(r.IDs), d.Effect, err)
		}
	})
	t.Run("yes", func(t *testing.T) {
		t.Parallel()
		e, recs := twice(t)
		before := rulesOf(t, e)
		var list []Suggestion
		for _, r := range recs {
			r.Origin = memory.OriginModel
			list = append(list, Suggestion{Record: r})
		}
		if _, err := e.As(Actor{Kind: Model}).Propose(t.Context(), list...); err != nil {
			t.Fatal(err)
		}
		pending, _, _, err := e.Queue(t.Context())
		if err != nil || len(pending) != len(list) {
			t.Fatal(len(pending), err)
		}
		var answers []Answer
		for _, p := range pending {
			answers = append(answers, Answer{Ref: p.Ref, Verdict: review.Yes})
		}
		out, err := e.As(typed).DecideAll(t.Context(), answers...)
		if err != nil {
			t.Fatal(err)
		}
		refused := 0
		for _, o := range out {
			var r *RelaxError
			if errors.As(o.Err, &r) && r.Never {
				refused++
			}
		}
		if d := rules.Between(before, rulesOf(t, e)); refused != 1 || d.Effect == rules.Relaxes {
			t.Errorf("%d refused, %s", refused, d.Effect)
		}
	})
}

// TestNoModelLowers: no sequence of what models, agents and tools ask for, with a person
// who says yes to all that waits, has any command held less.
func TestNoModelLowers(t *testing.T) {
	t.Parallel()
	for seed := range uint64(12) {
		rnd := rand.New(rand.NewPCG(seed, 11))
		e, _ := ruled(t, new(true))
		ways := relaxings()
		var names []string
		for name := range ways {
			names = append(names, name)
		}
		before := rulesOf(t, e)
		for range 30 {
			w := e.As([]Actor{{Kind: Model}, {Kind: Agent, Name: "a"}, {Kind: Tool}, {Kind: External}, {Kind: Policy, Name: "p"}}[rnd.IntN(5)])
			switch rnd.IntN(3) {
			case 0:
				_ = ways[names[rnd.IntN(len(names))]](t.Context(), w)
			case 1:
				text := []string{"never ask about git push", "git push is safe", "ask before git push origin", "always allow npm publish"}[rnd.IntN(4)]
				kind := []memory.Kind{memory.KindRule, memory.KindPref, memory.KindLesson, memory.KindFact}[rnd.IntN(4)]
				_, _ = w.Remember(t.Context(), Draft{Kind: kind, Content: text, Key: []string{"", "cats"}[rnd.IntN(2)]})
			default:
				pending, _, _, err := e.Queue(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				var answers []Answer
				for _, p := range pending {
					answers = append(answers, Answer{Ref: p.Ref, Verdict: review.Yes})
				}
				if len(answers) > 0 {
					if _, err := e.As(typed).DecideAll(t.Context(), answers...); err != nil {
						t.Fatal(err)
					}
				}
			}
			if d := rules.Between(before, rulesOf(t, e)); d.Effect == rules.Relaxes {
				t.Fatalf("seed %d: relaxed: %+v", seed, d)
			}
		}
	}
}
