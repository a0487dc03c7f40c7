package pick

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"ken/internal/app"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/memory"
	"ken/internal/session"
	"ken/internal/text"
	"ken/internal/view"
)

// A Selector says what is to be forgotten or erased. What it does not name is not
// touched: an empty filter, or one that matches nothing, is an error.
type Selector struct {
	Args       []string // references, or words of a text
	Scope, Key string
	// Project is the name of a project, all of which is meant: each scope that is called so, and
	// apart from that what says the name elsewhere.
	Project string
	// Scoped and Keyed say that a scope and a key were given, if only empty ones.
	Scoped, Keyed bool
	Erase         bool // also what is out of force already; a text is then just that
	All           bool // Args are what all that says it is meant of
}

// A Target is what a selector comes to.
type Target struct {
	Items []memory.Item
	Named bool // by references, one by one
	// Sessions are conversations that were held in the scope, Scope their filter;
	// none unless it was the scope alone that was given.
	Sessions []string
	Scope    func(string) bool
	// Scopes are the names of what a project has, Elsewhere what says its name in other scopes.
	Scopes    []string
	Elsewhere app.Mentions
	Turns     []memory.Turn // of conversations, that say it
	Text      string        // that was given instead of references
	// Offer is what words may mean that are no reference: nothing is meant before a person says which. nil: it is clear.
	Offer *Offer
}

// statuses are those of items that may be meant.
func (m Selector) statuses() []memory.Status {
	st := []memory.Status{memory.StatusActive, memory.StatusWaiting, memory.StatusSuperseded}
	if m.Erase {
		st = append(st, memory.StatusForgotten, memory.StatusUndone)
	}
	return st
}

// Verb is what is to be done: "forget" or "erase".
func (m Selector) Verb() string {
	if m.Erase {
		return "erase"
	}
	return "forget"
}

// Find resolves a selector. Errors, with which nothing was done: what is typed wrongly or names nothing, and what the files
// say; of words that nothing says one that wraps ErrNoMatch.
func (m Selector) Find(ctx context.Context, h *app.View) (Target, error) {
	var t Target
	switch {
	case m.Scoped && strings.TrimSpace(m.Scope) == "":
		return t, fault.Usagef("--scope is empty; nothing was done")
	case m.Keyed && strings.TrimSpace(m.Key) == "":
		return t, fault.Usagef("--key is empty; nothing was done")
	}
	words := strings.TrimSpace(strings.Join(m.Args, " "))
	if words == "" && m.Scope == "" && m.Key == "" && m.Project == "" {
		return t, fault.Usagef("%s what? name at least one memory", m.Verb()).WithHint("see their numbers: %s", fault.Command("memory list"))
	}
	s, err := h.Memory.State(ctx)
	if err != nil {
		return t, err
	}
	pool := s.With(m.statuses()...)
	if m.Project != "" {
		words = ""
	}
	if m.Scope != "" || m.Project != "" {
		if err := m.byScope(h, &t, pool, words == "" && m.Key == ""); err != nil {
			return t, err
		}
		pool = slices.DeleteFunc(pool, func(it memory.Item) bool { return !t.Scope(string(view.ScopeOf(it))) })
	}
	if m.Key != "" {
		pool = slices.DeleteFunc(pool, func(it memory.Item) bool { return it.Record.Key != m.Key })
	}
	if words != "" {
		if !m.Erase && m.Scope == "" && m.Key == "" {
			switch _, err := Refs(strings.Fields(words)); {
			case m.All, err != nil && !AllNumbers(strings.Fields(words)):
				t.Offer, err = about(ctx, h, words)
				return t, err
			case err != nil:
				return t, err
			}
		}
		pool, err = m.byWords(s, &t, pool, words)
		if err != nil {
			return t, err
		}
	}
	t.Items = pool
	if m.Project != "" {
		if err := m.elsewhere(ctx, h, &t); err != nil {
			return t, err
		}
	}
	if words != "" || m.Key != "" {
		t.Scope = nil
	}
	if len(t.Items)+len(t.Sessions) == 0 && t.Text == "" {
		return t, fault.Failuref("nothing matches; nothing was done").WithHint("see what there is: %s", fault.Command("memory list"))
	}
	return t, nil
}

// byScope finds what the scope means, and the conversations of it.
func (m Selector) byScope(h *app.View, t *Target, pool []memory.Item, sessions bool) error {
	var known []string
	for i := range pool {
		known = append(known, string(view.ScopeOf(pool[i])))
	}
	transcripts, err := app.Transcripts(h)
	if err != nil {
		return err
	}
	held := make(map[string][]string) // by session: the scopes that it was in
	for _, tr := range transcripts {
		id := tr.Header.Session
		held[id] = append(held[id], tr.Header.Scope)
		for _, e := range tr.Entries {
			if e.Turn != nil && e.Turn.Scope != "" {
				held[id] = append(held[id], e.Turn.Scope)
			}
		}
		known = append(known, held[id]...)
	}
	if m.Project != "" {
		if t.Scopes = projects(h, m.Project, known); len(t.Scopes) == 0 {
			return fault.Failuref("no project %q is known; nothing was done", m.Project)
		}
		p := h.Here.Place()
		t.Scope = func(scope string) bool {
			return scope != "" && slices.ContainsFunc(t.Scopes, func(s string) bool { return p.Same(scope, s) })
		}
		t.held(transcripts, held)
		return nil
	}
	full := m.Scope
	if !slices.Contains(known, full) {
		if full, err = h.Here.Resolve(m.Scope, known...); err != nil {
			return fault.Usagef("--scope %s: %w; nothing was done", m.Scope, err)
		}
	}
	t.Scope = sameScope(h, full)
	if !sessions {
		return nil
	}
	t.held(transcripts, held)
	return nil
}

// held adds the conversations that were held in the scope.
func (t *Target) held(transcripts []*session.Transcript, held map[string][]string) {
	for _, tr := range transcripts {
		if id := tr.Header.Session; slices.ContainsFunc(held[id], t.Scope) && !slices.Contains(t.Sessions, id) {
			t.Sessions = append(t.Sessions, id)
		}
	}
}

// projects are the scopes, of those that are known, that a project of that name has: a
// repository by the last part of its address or by its directory, and a directory by its name.
func projects(h *app.View, name string, known []string) (list []string) {
	names := h.Here.Names(known...)
	for _, scope := range known {
		if slices.Contains(list, scope) || !strings.HasPrefix(scope, "repo:") && !strings.HasPrefix(scope, "dir:") {
			continue
		}
		for _, called := range [...]string{scope, names.Of(scope)} {
			_, called, _ = strings.Cut(called, ":")
			if strings.EqualFold(path.Base(called), name) || strings.EqualFold(called, name) {
				list = append(list, scope)
				break
			}
		}
	}
	return list
}

// elsewhere finds what says the name of the project in other scopes.
func (m Selector) elsewhere(ctx context.Context, h *app.View, t *Target) (err error) {
	t.Elsewhere, err = app.MentionsOf(ctx, h, m.Project)
	t.Elsewhere.Items = slices.DeleteFunc(t.Elsewhere.Items, func(it app.Mention) bool { return t.Scope(string(view.ScopeOf(it.Item))) })
	with := app.Mentions{Turns: t.Elsewhere.Turns}
	for _, it := range t.Items {
		with.Items = append(with.Items, app.Mention{Item: it})
	}
	t.Elsewhere.Turns = slices.DeleteFunc(with.Beside().Turns, func(turn app.SaidTurn) bool {
		return slices.Contains(t.Sessions, turn.Session)
	})
	return err
}

// sameScope is what a scope that was chosen takes in. What was said nowhere is of
// no scope, not even of that of everywhere.
func sameScope(h *app.View, full string) func(string) bool {
	p := h.Here.Place()
	return func(scope string) bool { return scope != "" && p.Same(scope, full) }
}

// byWords finds the items of the pool that the words of the command line name: by
// reference, else by their text.
func (m Selector) byWords(s *memory.State, t *Target, pool []memory.Item, words string) ([]memory.Item, error) {
	if ids, err := Refs(strings.Fields(words)); err == nil {
		t.Named = true
		at := make(map[memory.ID]int, len(pool))
		for i := range pool {
			at[pool[i].ID] = i
		}
		var items []memory.Item
		for _, id := range ids {
			id = id.From(s.OwnLog())
			i, chosen := at[id]
			status := s.Status(id)
			switch {
			case chosen:
				items = append(items, pool[i])
			case m.Erase && status == memory.StatusErased:
				items = append(items, memory.Item{ID: id, Record: new(memory.Record)})
			case slices.Contains(m.statuses(), status):
				return nil, fault.Failuref("%s is not among what the other filters choose; nothing was done", id)
			case m.Erase && status == memory.StatusChange:
				return nil, fault.Failuref("%s: a line that changes another memory", id).
					WithHint("erase the memory itself: %s", fault.Command("memory history "+id.String()))
			default:
				return nil, fmt.Errorf("%s: %w", id, engine.ErrNotActive)
			}
		}
		return items, nil
	}
	t.Text = words
	n := text.Normal(words)
	if n == "" {
		return nil, fault.Usagef("the text is empty; nothing was done")
	}
	var same, within []memory.Item
	phrase := text.NewWordMatcher(words)
	for _, it := range pool {
		switch said := text.Normal(it.Record.Content); {
		case said == n:
			same = append(same, it)
		case phrase.In(it.Record.Content):
			within = append(within, it)
		}
	}
	switch {
	case len(same) > 0:
		return same, nil
	case m.Erase: // a text that no memory says as a whole may stand anywhere
		return nil, nil
	case len(within) > 0:
		return within, nil
	}
	return nil, fault.Failuref("no memory says %q; nothing was done", words).
		WithHint("see what there is: %s", fault.Command("recall --in memory "+words))
}

// Widened is the target with what says the name of its project elsewhere.
func (t Target) Widened() Target {
	t.Items, t.Turns = slices.Clone(t.Items), slices.Clone(t.Turns)
	for _, it := range t.Elsewhere.Items {
		t.Items = append(t.Items, it.Item)
	}
	for _, turn := range t.Elsewhere.Turns {
		t.Turns = append(t.Turns, turn.Turn)
	}
	return t
}

// ItemRefs names memories to a person, and not more than they read.
func ItemRefs(items []memory.Item) string {
	var refs []string
	for _, it := range items {
		refs = append(refs, "#"+it.Ref())
	}
	const most = 8
	if len(refs) > most {
		refs = append(refs[:most], "...")
	}
	return strings.Join(refs, " ")
}
