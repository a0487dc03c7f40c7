package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/index"
	"ken/internal/memory"
	"ken/internal/view"
	"ken/internal/view/port"
	"ken/internal/view/why"
)

// Ports are the acts of programs that keep memory through ken, at one place, in the hands
// of one actor. docs/programs.md has what each does. A fault of the memory costs what it
// would have brought: Recall and Export answer empty then, with a warning.
type Ports struct {
	view   *View
	source *memory.Source // of what is stated, where a call names none
	verb   func(string) string
}

// Ports returns those of the actor where they stand. source is where what is stated was said, nil: nowhere; verb is how a command of
// ken is written where the person is, nil: "ken undo 3".
func (v *View) Ports(source *memory.Source, verb func(string) string) *Ports {
	if verb == nil {
		verb = command
	}
	return &Ports{view: v, source: source, verb: verb}
}

// begin is a call.
func (p *Ports) begin(c port.Call) (*call, error) {
	if _, err := p.view.Settings.Read(); err != nil {
		return nil, err
	}
	x := &call{Call: c, Ports: p}
	x.standIn()
	return x, nil
}

// Recall returns what holds for the call, what it is about first, then the newest.
func (p *Ports) Recall(ctx context.Context, c port.Call) (r port.Recalled, err error) {
	most := port.DefaultLimit
	if c.Limit != nil {
		most = *c.Limit
	}
	if most < 1 {
		return r, fault.Usagef("limit %d: want at least 1", most)
	}
	x, err := p.begin(c)
	if err != nil {
		return r, err
	}
	return x.recall(ctx, most)
}

// Remember states one value of a key, or suggests it.
func (p *Ports) Remember(ctx context.Context, c port.Call) (d port.Result, err error) {
	x, err := p.begin(c)
	if err != nil {
		return d, err
	}
	draft, err := x.draft()
	if err != nil {
		return d, err
	}
	results, err := x.keep(ctx, draft)
	if err != nil {
		return d, err
	}
	return results[0], nil
}

// Rule proposes a procedural rule: it binds, so it waits for the person's yes, whoever says it.
func (p *Ports) Rule(ctx context.Context, c port.Call) (d port.Result, err error) {
	x, err := p.begin(c)
	if err != nil {
		return d, err
	}
	if strings.TrimSpace(x.Call.Rule) == "" {
		return d, fault.Usagef("which rule? want a rule")
	}
	scope, err := x.scope()
	if err != nil {
		return d, err
	}
	results, err := x.propose(ctx, []engine.Suggestion{{Why: x.Rationale, Record: memory.Record{
		Kind: memory.KindRule, Content: x.Call.Rule, Scope: scope, Tags: x.tags(), Source: x.said(), Origin: memory.OriginTool,
		Detail: &memory.Detail{Subtype: "procedural_rule"},
	}}})
	if err != nil {
		return d, err
	}
	return results[0], nil
}

// Retrospect keeps what came of some work, with lessons and goals; the safety rules of
// it wait for the person, whoever reports them.
func (p *Ports) Retrospect(ctx context.Context, c port.Call) (k port.Kept, err error) {
	x, err := p.begin(c)
	if err != nil {
		return k, err
	}
	drafts, rules, err := x.outcome()
	if err != nil {
		return k, err
	}
	if len(drafts) > 0 {
		if k.Kept, err = x.keep(ctx, drafts...); err != nil {
			return k, err
		}
	}
	waiting, err := x.propose(ctx, rules)
	if err != nil {
		return k, err
	}
	k.Kept = append(k.Kept, waiting...)
	k.Status = k.Kept[0].Status
	return k, nil
}

// Forget hides what has the keys of the call, or all of its scope. To find nothing is no
// error: the status says so.
func (p *Ports) Forget(ctx context.Context, c port.Call) (f port.Forgotten, err error) {
	x, err := p.begin(c)
	if err != nil {
		return f, err
	}
	return x.forget(ctx)
}

// Export returns what holds for the call, with counts.
func (p *Ports) Export(ctx context.Context, c port.Call) (e port.Export, err error) {
	x, err := p.begin(c)
	if err != nil {
		return e, err
	}
	if _, err := x.scope(); err != nil {
		return e, err
	}
	items, s, err := x.choose(ctx, false)
	switch {
	case err != nil && isAsked(ctx, err):
		return e, err
	case err != nil:
		x.view.Warn(fmt.Errorf("memory could not be read, and is left out: %w", err))
		e = port.Export{Export: view.ExportOf(nil, []string{"memory could not be read"}, false), Profile: c.Profile}
		e.Status = "unavailable"
		return e, nil
	}
	items, masked := Masked(x.view, items)
	return port.Export{Export: Whole(s, items, Notes(s, 0, masked)), Profile: c.Profile}, nil
}

// isAsked reports whether an error is about what was asked, or the person's own
// act: all others are faults of the memory, which stop nobody.
func isAsked(ctx context.Context, err error) bool {
	var kind *engine.KindError
	return errors.As(err, &kind) || ctx.Err() != nil
}

// recall is Ports.Recall of at most so many items.
func (x *call) recall(ctx context.Context, most int) (r port.Recalled, err error) {
	text, isText := personal(x.view, x.Scope)
	scope := memory.ScopeUser
	if !isText {
		if scope, err = x.scope(); err != nil {
			return r, err
		}
	}
	in := why.Context{Scope: string(cmpScope(scope))}
	if about := string(x.Activation); x.view.Keys.MaskText(about) == about {
		in.About = x.Activation // with a secret in it, it is not said again
	}
	plan := port.Plan{
		Scope: string(scope), Kinds: append([]string{}, x.Kinds...), About: x.view.Keys.MaskText(x.About()), Limit: most, Writes: []string{},
	}
	if isText {
		r = port.RecalledOf(nil, nil, in, plan, x.Profile, "a text of yours")
		if text != "" {
			r.Items = []port.Preference{{Ref: x.Scope, Key: x.Scope, Value: text, Kind: "text", Scope: "user"}}
		}
		return r, nil
	}
	x.boosts = true
	items, ground, err := x.ranked(ctx)
	if err != nil {
		if isAsked(ctx, err) {
			return r, err
		}
		x.view.Warn(fmt.Errorf("memory could not be read, and is left out: %w", err))
		return port.RecalledOf(nil, nil, in, plan, x.Profile, "memory could not be read"), nil
	}
	total := len(items)
	items, _ = Masked(x.view, items[:min(total, most)])
	return port.RecalledOf(items, ground, in, plan, x.Profile, fmt.Sprintf("%d of %d that hold here", len(items), total)), nil
}

// ranked are the items in the order in which they are recalled: what the call is about
// first, then the newest. ground says what put an item there.
func (x *call) ranked(ctx context.Context) (items []memory.Item, ground func(memory.Item) string, err error) {
	if items, _, err = x.choose(ctx, false); err != nil {
		return nil, nil, err
	}
	rank := make(map[string]int)
	most := 1
	if text := x.About(); text != "" {
		l, err := OpenLibrary(ctx, x.view, index.Memory)
		if err != nil {
			return nil, nil, err
		}
		found, err := l.Find(ctx, Query{Text: text})
		if err != nil {
			return nil, nil, err
		}
		for i, f := range found {
			rank[f.Ref] = len(found) - i
		}
		most = max(most, len(found))
	}
	// What is of the profile, or of the place itself, is lifted by as much as the words
	// of half of what was found.
	score := func(it memory.Item) int {
		n := 4 * rank[it.Ref()]
		if x.isOf(it) {
			n += 2 * most
		}
		if s := string(view.ScopeOf(it)); s != string(memory.ScopeUser) && x.placed() && x.here.Holds(s) {
			n += most
		}
		return n
	}
	slices.SortStableFunc(items, func(a, b memory.Item) int { return score(b) - score(a) })
	return items, func(it memory.Item) string {
		holds := "it holds in " + string(view.ScopeOf(it))
		if x.isOf(it) {
			holds = "it is of the profile " + x.Profile + "; " + holds
		}
		if rank[it.Ref()] > 0 {
			return "it has words of the context; " + holds
		}
		return holds
	}, nil
}
