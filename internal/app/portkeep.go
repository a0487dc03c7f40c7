package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ken/internal/dates"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/foreign"
	"ken/internal/memory"
	"ken/internal/view"
	"ken/internal/view/port"
)

// What a port states, suggests and forgets.

// draft is the value of a key that the call states.
func (x *call) draft() (d engine.Draft, err error) {
	value, ok := port.TextOf(x.Value)
	if strings.TrimSpace(x.Key) == "" || !ok {
		return d, fault.Usagef("remember what? want a key and a value")
	}
	scope, err := x.scope()
	if err != nil {
		return d, err
	}
	d = engine.Draft{
		Kind: memory.Kind(cmp.Or(x.Kind, "preference")), Content: foreign.Stated(x.Key, value), Key: x.Key,
		Scope: scope, Tags: x.tags(), Source: x.said(),
	}
	if d.Phase, err = x.phase(); err != nil {
		return d, err
	}
	if x.TTL != "" && x.TTL != string(d.Phase) {
		if d.Expires, err = dates.Expiry(x.TTL, x.view.Now()); err != nil {
			return d, fault.Usagef("ttl %s: %w", x.TTL, err)
		}
	}
	return d, nil
}

// outcome is what a retrospection states, and the rules that it suggests. A rule binds,
// so each waits for a person's yes, whoever reports it.
func (x *call) outcome() (drafts []engine.Draft, rules []engine.Suggestion, err error) {
	scope, err := x.scope()
	if err != nil {
		return nil, nil, err
	}
	add := func(kind memory.Kind, texts ...string) {
		for _, text := range texts {
			if strings.TrimSpace(text) != "" {
				drafts = append(drafts, engine.Draft{Kind: kind, Content: text, Scope: scope, Tags: x.tags(), Source: x.said()})
			}
		}
	}
	add(memory.KindRetro, x.Outcome)
	add(memory.KindLesson, x.Lessons...)
	add(memory.KindGoal, x.Goals...)
	for _, text := range x.Rules {
		if strings.TrimSpace(text) == "" {
			continue
		}
		rules = append(rules, engine.Suggestion{Why: "a safety rule of a retrospection", Record: memory.Record{
			Kind: memory.KindRule, Content: text, Scope: scope, Tags: x.tags(), Source: x.said(), Origin: memory.OriginTool,
		}})
	}
	if len(drafts)+len(rules) == 0 {
		return nil, nil, fault.Usagef("nothing to keep: want an outcome, lessons, goals or safety rules")
	}
	return drafts, rules, nil
}

// keep states drafts as the person's own word, or suggests them.
func (x *call) keep(ctx context.Context, drafts ...engine.Draft) ([]port.Result, error) {
	w, err := x.view.Memory.Writer()
	if err != nil {
		return nil, err
	}
	results := make([]port.Result, len(drafts))
	list := make([]engine.Suggestion, len(drafts))
	for i, d := range drafts {
		kind, _ := memory.ParseKind(string(d.Kind))
		results[i] = port.Result{
			Kind: string(d.Kind), Key: x.view.Keys.MaskText(d.Key), Value: port.ValueOf(d.Key, x.view.Keys.MaskText(d.Content)),
			Scope: string(cmpScope(d.Scope)), Phase: string(cmp.Or(d.Phase, kind.DefaultPhase())),
		}
		if !w.Suggests() {
			done, err := x.view.State(ctx, d, "")
			if err != nil {
				var secret *engine.SecretError
				if errors.As(err, &secret) {
					return nil, fault.New(fault.Refused, err).
						WithHint("a person may keep it, masked towards models: %s", fault.Command("remember --force"))
				}
				return nil, engine.NotSaved(err)
			}
			if results[i].Status, results[i].Ref = done.Did, done.Ref; done.Line != "" {
				results[i].Undo = x.verb("undo " + done.Line)
			}
			continue
		}
		list[i] = engine.Suggestion{Why: "by way of a port", Record: memory.Record{
			Kind: d.Kind, Content: d.Content, Scope: d.Scope, Key: d.Key, Tags: d.Tags, Source: d.Source,
			Detail: &memory.Detail{Expires: d.Expires, Phase: d.Phase},
		}}
	}
	if w.Suggests() {
		got, err := w.Propose(ctx, list...)
		if err != nil {
			return nil, engine.NotSaved(err)
		}
		for i := range got {
			x.proposed(&results[i], got[i])
		}
	}
	return results, nil
}

// proposed says of a result what became of the suggestion that it came to.
func (x *call) proposed(d *port.Result, p engine.Proposed) {
	d.Status, d.Decide = "proposed", x.verb("review")
	if !p.New {
		d.Status, d.Decide = "known", ""
	}
	if p.ID > 0 {
		d.Ref = fmt.Sprintf("p%d", p.ID)
	}
}

// propose suggests rules.
func (x *call) propose(ctx context.Context, list []engine.Suggestion) ([]port.Result, error) {
	if len(list) == 0 {
		return nil, nil
	}
	w, err := x.view.Memory.Writer()
	if err != nil {
		return nil, err
	}
	got, err := w.Propose(ctx, list...)
	if err != nil {
		return nil, engine.NotSaved(err)
	}
	results := make([]port.Result, len(got))
	for i := range got {
		r := list[i].Record
		results[i] = port.Result{Kind: string(r.Kind), Value: x.view.Keys.MaskText(r.Content), Scope: string(cmpScope(r.Scope))}
		x.proposed(&results[i], got[i])
	}
	return results, nil
}

// forget is Ports.Forget.
func (x *call) forget(ctx context.Context) (port.Forgotten, error) {
	items, _, err := x.choose(ctx, true)
	if err != nil {
		return port.Forgotten{}, err
	}
	if len(x.Keys) > 0 {
		items = slices.DeleteFunc(items, func(it memory.Item) bool { return !slices.Contains(x.Keys, it.Record.Key) })
	}
	results := make([]port.Result, len(items))
	ids := make([]memory.ID, len(items))
	list := make([]engine.Suggestion, len(items))
	for i, it := range items {
		ids[i] = it.ID
		results[i] = port.Result{
			Status: "would forget", Ref: it.Ref(), Kind: string(it.Record.Kind), Key: x.view.Keys.MaskText(it.Record.Key), Scope: string(view.ScopeOf(it)),
		}
		list[i] = engine.Suggestion{Why: "by way of a port", Record: memory.Record{Kind: memory.KindForget, Target: it.ID}}
	}
	out := port.Forgotten{Status: "nothing", Forgotten: results}
	if len(items) == 0 {
		return out, nil
	}
	out.Status = "would forget"
	w, err := x.view.Memory.Writer()
	switch {
	case err != nil:
		return out, err
	case x.DryRun:
	case w.Suggests():
		got, err := w.Propose(ctx, list...)
		if err != nil {
			return out, engine.NotSaved(err)
		}
		for i := range got {
			x.proposed(&results[i], got[i])
		}
		out.Status = "proposed"
	default:
		r, err := w.Forget(ctx, "", ids...)
		if err != nil {
			return out, engine.NotSaved(err)
		}
		for i, line := range r.IDs {
			results[i].Status, results[i].Undo = "forgot", x.verb("undo "+line.String())
		}
		out.Status = "forgot"
	}
	return out, nil
}
