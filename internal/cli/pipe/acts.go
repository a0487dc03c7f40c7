package pipe

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ken/internal/dates"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/index"
	"ken/internal/memory"
	"ken/internal/search"
	"ken/internal/view"
	"ken/internal/view/why"
)

func sortedNames(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

// A deed is what became of one thing that a port was asked to do.
type deed struct {
	Status string `json:"status"`        // "remembered", "duplicate", "forgot", "would forget", "proposed", "known"
	Ref    string `json:"ref,omitempty"` // of the memory, or of the proposal that waits
	Kind   string `json:"kind,omitempty"`
	Key    string `json:"key,omitempty"`
	Value  any    `json:"value,omitempty"` // as it was given: any JSON
	Scope  string `json:"scope,omitempty"`
	Phase  string `json:"phase,omitempty"`  // how settled it is, or would be
	Undo   string `json:"undo,omitempty"`   // the command that takes it back
	Decide string `json:"decide,omitempty"` // the command by which a person decides
}

// proposed is what became of a suggestion.
func (d deed) proposed(a *term.Run, p engine.Proposed) deed {
	d.Status, d.Decide = "proposed", a.Verb("review")
	if !p.New {
		d.Status, d.Decide = "known", ""
	}
	if p.ID > 0 {
		d.Ref = fmt.Sprintf("p%d", p.ID)
	}
	return d
}

// keep states drafts as the person's own word, or suggests them.
func keep(a *term.Run, cmd *cobra.Command, p args, drafts []engine.Draft) ([]deed, error) {
	w, err := p.writer(a)
	if err != nil {
		return nil, err
	}
	deeds := make([]deed, len(drafts))
	list := make([]engine.Suggestion, len(drafts))
	for i, d := range drafts {
		deeds[i] = deed{
			Kind: string(d.Kind), Key: a.Home.Keys.MaskText(d.Key), Value: valueOf(d.Key, a.Home.Keys.MaskText(d.Content)),
			Scope: string(cmp.Or(d.Scope, memory.ScopeUser)), Phase: string(phaseOf(d)),
		}
		if !w.Suggests() {
			r, err := w.Remember(cmd.Context(), d)
			if err != nil {
				var secret *engine.SecretError
				if errors.As(err, &secret) {
					return nil, fault.New(fault.Refused, err).
						WithHint("a person may keep it, masked towards models: %s", fault.Command("remember --force"))
				}
				return nil, term.NotSaved(err)
			}
			if !r.Same.IsZero() {
				deeds[i].Status, deeds[i].Ref = "duplicate", r.Same.String()
				a.Used(cmd.Context(), r.Same.String())
				continue
			}
			id := r.IDs[0].String()
			deeds[i].Status, deeds[i].Ref, deeds[i].Undo = "remembered", id, a.Verb("undo "+id)
			continue
		}
		list[i] = engine.Suggestion{Why: "by way of a port", Record: memory.Record{
			Kind: d.Kind, Content: d.Content, Scope: d.Scope, Key: d.Key, Tags: d.Tags, Source: d.Source,
			Detail: &memory.Detail{Expires: d.Expires, Phase: d.Phase},
		}}
	}
	if w.Suggests() {
		got, err := w.Propose(cmd.Context(), list...)
		if err != nil {
			return nil, term.NotSaved(err)
		}
		for i := range got {
			deeds[i] = deeds[i].proposed(a, got[i])
		}
	}
	return deeds, nil
}

// phaseOf is the phase of what is stated: the one of the hint, or of the kind.
func phaseOf(d engine.Draft) memory.Phase {
	kind, _ := memory.ParseKind(string(d.Kind))
	return cmp.Or(d.Phase, kind.DefaultPhase())
}

func remember(a *term.Run, cmd *cobra.Command, p args) error {
	value, ok := textOf(p.Value)
	if strings.TrimSpace(p.Key) == "" || !ok {
		return fault.Usagef("remember what? want a key and a value")
	}
	scope, err := p.scope()
	if err != nil {
		return err
	}
	d := engine.Draft{
		Kind: memory.Kind(cmp.Or(p.Kind, "preference")), Content: statedAs(p.Key, value), Key: p.Key,
		Scope: scope, Tags: p.tags(), Source: p.source(a),
	}
	if d.Phase, err = p.phase(); err != nil {
		return err
	}
	if p.TTL != "" && p.TTL != string(d.Phase) {
		if d.Expires, err = dates.Expiry(p.TTL, a.Env.Now()); err != nil {
			return fault.Usagef("ttl %s: %w", p.TTL, err)
		}
	}
	deeds, err := keep(a, cmd, p, []engine.Draft{d})
	if err != nil {
		return err
	}
	return a.PrintJSON(deeds[0])
}

func retro(a *term.Run, cmd *cobra.Command, p args) error {
	scope, err := p.scope()
	if err != nil {
		return err
	}
	var drafts []engine.Draft
	add := func(kind memory.Kind, texts ...string) {
		for _, text := range texts {
			if strings.TrimSpace(text) != "" {
				drafts = append(drafts, engine.Draft{Kind: kind, Content: text, Scope: scope, Tags: p.tags(), Source: p.source(a)})
			}
		}
	}
	add(memory.KindRetro, p.Outcome)
	add(memory.KindLesson, p.Lessons...)
	add(memory.KindGoal, p.Goals...)
	rules := ruled(p, scope, a)
	if len(drafts)+len(rules) == 0 {
		return fault.New(fault.Usage, errNoOutcome)
	}
	var deeds []deed
	if len(drafts) > 0 {
		if deeds, err = keep(a, cmd, p, drafts); err != nil {
			return err
		}
	}
	waiting, err := proposeRules(a, cmd, rules)
	if err != nil {
		return err
	}
	deeds = append(deeds, waiting...)
	return a.PrintJSON(struct {
		Status string `json:"status"`
		Kept   []deed `json:"kept"`
	}{deeds[0].Status, deeds})
}

// ruled are the safety rules of a retrospection. A rule binds, so each waits for a
// person's yes, whoever reports it.
func ruled(p args, scope memory.Scope, a *term.Run) (list []engine.Suggestion) {
	for _, text := range p.Rules {
		if strings.TrimSpace(text) == "" {
			continue
		}
		list = append(list, engine.Suggestion{Why: "a safety rule of a retrospection", Record: memory.Record{
			Kind: memory.KindRule, Content: text, Scope: scope, Tags: p.tags(), Source: p.source(a), Origin: memory.OriginTool,
		}})
	}
	return list
}

func proposeRules(a *term.Run, cmd *cobra.Command, list []engine.Suggestion) ([]deed, error) {
	if len(list) == 0 {
		return nil, nil
	}
	w, err := a.Writer()
	if err != nil {
		return nil, err
	}
	got, err := w.Propose(cmd.Context(), list...)
	if err != nil {
		return nil, term.NotSaved(err)
	}
	deeds := make([]deed, len(got))
	for i := range got {
		r := list[i].Record
		deeds[i] = deed{
			Kind: string(r.Kind), Value: a.Home.Keys.MaskText(r.Content),
			Scope: string(cmp.Or(r.Scope, memory.ScopeUser)),
		}.proposed(a, got[i])
	}
	return deeds, nil
}

// choose are the active memories that the arguments choose, newest first: those
// that hold where the person stands, or those of exactly the scope given; and the memory that they are of.
func choose(a *term.Run, cmd *cobra.Command, p args, exact bool) ([]memory.Item, *memory.State, error) {
	scope, err := p.scope()
	if err != nil {
		return nil, nil, err
	}
	sel, err := search.Items(cmd.Context(), a.Home, search.Filter{Kinds: p.Kinds})
	if err != nil {
		return nil, nil, err
	}
	items := make([]memory.Item, 0, sel.Items.Len())
	for it := range sel.Items.Each() {
		items = append(items, it.Item)
	}
	here := p.here
	cwd := !exact && p.isHere()
	return slices.DeleteFunc(items, func(it memory.Item) bool {
		own := string(view.ScopeOf(it))
		return p.filters(exact) && !p.ofProfile(it) || cwd && !here.Holds(own) || !cwd && !here.Same(own, string(scope))
	}), sel.State, nil
}

func recall(a *term.Run, cmd *cobra.Command, p args) error {
	scope, err := p.scope()
	if _, ok := personal(a, p.Scope); ok {
		scope, err = memory.ScopeUser, nil
	}
	if err != nil {
		return err
	}
	in := why.Context{Scope: string(cmp.Or(scope, memory.ScopeUser))}
	if about := string(p.Activation); a.Home.Keys.MaskText(about) == about {
		in.About = p.Activation // with a secret in it, it is not said again
	}
	if text, ok := personal(a, p.Scope); ok {
		r := recalledOf(nil, nil, in, planOf(a, p, scope), p.Profile, "a text of yours")
		if text != "" {
			r.Items = []preference{{Ref: p.Scope, Key: p.Scope, Value: text, Kind: "text", Scope: "user"}}
		}
		return a.PrintJSON(r)
	}
	p.boosts = true
	items, ground, err := recallItems(a, cmd, p)
	if err != nil {
		if isAsked(cmd, err) {
			return err
		}
		a.Warn(fmt.Errorf("memory could not be read, and is left out: %w", err))
		return a.PrintJSON(recalledOf(nil, nil, in, planOf(a, p, scope), p.Profile, "memory could not be read"))
	}
	total := len(items)
	items, _ = search.Masked(a.Home, items[:min(total, *p.Limit)])
	return a.PrintJSON(recalledOf(items, ground, in, planOf(a, p, scope), p.Profile, fmt.Sprintf("%d of %d that hold here", len(items), total)))
}

// isAsked reports whether an error is about what was asked, or the person's own
// act: all others are faults of the memory, which stop nobody.
func isAsked(cmd *cobra.Command, err error) bool {
	var kind *engine.KindError
	return errors.As(err, &kind) || cmd.Context().Err() != nil
}

// recallItems are the items in the order in which they are recalled: what the call
// is about first, then the newest. ground says what put an item there.
func recallItems(a *term.Run, cmd *cobra.Command, p args) (items []memory.Item, ground func(memory.Item) string, err error) {
	if items, _, err = choose(a, cmd, p, false); err != nil {
		return nil, nil, err
	}
	rank := make(map[string]int)
	most := 1
	if text := p.about(); text != "" {
		l, err := search.Open(cmd.Context(), a.Home, index.Memory)
		if err != nil {
			return nil, nil, err
		}
		found, err := l.Find(cmd.Context(), search.Query{Text: text})
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
		if p.isOf(it) {
			n += 2 * most
		}
		if s := string(view.ScopeOf(it)); s != string(memory.ScopeUser) && p.placed() && p.here.Holds(s) {
			n += most
		}
		return n
	}
	slices.SortStableFunc(items, func(x, y memory.Item) int { return score(y) - score(x) })
	return items, func(it memory.Item) string {
		holds := "it holds in " + string(view.ScopeOf(it))
		if p.isOf(it) {
			holds = "it is of the profile " + p.Profile + "; " + holds
		}
		if rank[it.Ref()] > 0 {
			return "it has words of the context; " + holds
		}
		return holds
	}, nil
}

func forget(a *term.Run, cmd *cobra.Command, p args) error {
	items, _, err := choose(a, cmd, p, true)
	if err != nil {
		return err
	}
	if len(p.Keys) > 0 {
		items = slices.DeleteFunc(items, func(it memory.Item) bool { return !slices.Contains(p.Keys, it.Record.Key) })
	}
	deeds := make([]deed, len(items))
	ids := make([]memory.ID, len(items))
	list := make([]engine.Suggestion, len(items))
	for i, it := range items {
		ids[i] = it.ID
		deeds[i] = deed{
			Status: "would forget", Ref: it.Ref(), Kind: string(it.Record.Kind), Key: a.Home.Keys.MaskText(it.Record.Key),
			Scope: string(view.ScopeOf(it)),
		}
		list[i] = engine.Suggestion{Why: "by way of a port", Record: memory.Record{Kind: memory.KindForget, Target: it.ID}}
	}
	out := struct {
		Status    string `json:"status"` // "forgot", "proposed", "would forget" or "nothing"
		Forgotten []deed `json:"forgotten"`
	}{"nothing", deeds}
	if len(items) == 0 {
		return cmp.Or(a.PrintJSON(out), term.Told(fault.Failuref("nothing to forget")))
	}
	out.Status = "would forget"
	w, err := p.writer(a)
	switch {
	case err != nil:
		return err
	case p.DryRun:
	case w.Suggests():
		got, err := w.Propose(cmd.Context(), list...)
		if err != nil {
			return term.NotSaved(err)
		}
		for i := range got {
			deeds[i] = deeds[i].proposed(a, got[i])
		}
		out.Status = "proposed"
	default:
		r, err := w.Forget(cmd.Context(), "", ids...)
		if err != nil {
			return term.NotSaved(err)
		}
		for i, line := range r.IDs {
			deeds[i].Status, deeds[i].Undo = "forgot", a.Verb("undo "+line.String())
		}
		out.Status = "forgot"
	}
	return a.PrintJSON(out)
}

func export(a *term.Run, cmd *cobra.Command, p args) error {
	type exported struct {
		view.Export
		Profile string `json:"profile"`
	}
	if _, err := p.scope(); err != nil {
		return err
	}
	items, s, err := choose(a, cmd, p, false)
	if err != nil {
		if isAsked(cmd, err) {
			return err
		}
		a.Warn(fmt.Errorf("memory could not be read, and is left out: %w", err))
		out := view.ExportOf(nil, []string{"memory could not be read"}, false)
		out.Status = "unavailable"
		return a.PrintJSON(exported{out, p.Profile})
	}
	items, masked := search.Masked(a.Home, items)
	return a.PrintJSON(exported{search.Whole(s, items, search.Notes(s, 0, masked)), p.Profile})
}
