package memcmd

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"ken/internal/cli/app"
	"ken/internal/cli/find"
	"ken/internal/engine"
	"ken/internal/memory"
	"ken/internal/view"
	"ken/internal/wording"
)

// aim says what is to be forgotten or erased. What it does not name is not
// touched: an empty filter, or one that matches nothing, is an error.
type aim struct {
	args       []string // references, or words of a text
	scope, key string
	erase      bool // also what is out of force already
}

// add adds the flags that choose.
func (m *aim) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&m.scope, "scope", "", "all of `SCOPE`, and what was said there: user, here, repo, dir, or a full one")
	cmd.Flags().StringVar(&m.key, "key", "", "all that has the `KEY`, older ones too")
}

// A target is what an aim comes to.
type target struct {
	items []memory.Item
	named bool // by references, one by one
	// sessions are conversations that were held in the scope, scope their filter;
	// none unless it was the scope alone that was given.
	sessions []string
	scope    func(string) bool
	text     string // that was given instead of references
	none     bool   // the person was asked which, and said none
}

// statuses are those of items that may be meant.
func (m *aim) statuses() []memory.Status {
	st := []memory.Status{memory.StatusActive, memory.StatusWaiting, memory.StatusSuperseded}
	if m.erase {
		st = append(st, memory.StatusForgotten, memory.StatusUndone)
	}
	return st
}

// find resolves an aim.
func (m *aim) find(a *app.App, cmd *cobra.Command, c find.Choice) (target, error) {
	var t target
	for _, f := range []struct{ name, value string }{{"scope", m.scope}, {"key", m.key}} {
		if cmd.Flags().Changed(f.name) && strings.TrimSpace(f.value) == "" {
			return t, app.Usage("--%s is empty; nothing was done", f.name)
		}
	}
	words := strings.TrimSpace(strings.Join(m.args, " "))
	if words == "" && m.scope == "" && m.key == "" {
		return t, app.Usage("%s what? name at least one memory", c.Verb).Hint("see their numbers: %s", a.Verb("memory list"))
	}
	s, err := a.State(cmd.Context())
	if err != nil {
		return t, err
	}
	pool := s.With(m.statuses()...)
	if m.scope != "" {
		if err := m.byScope(a, &t, pool, words == "" && m.key == ""); err != nil {
			return t, err
		}
		pool = slices.DeleteFunc(pool, func(it memory.Item) bool { return !t.scope(string(view.ScopeOf(it))) })
	}
	if m.key != "" {
		pool = slices.DeleteFunc(pool, func(it memory.Item) bool { return it.Record.Key != m.key })
	}
	if words != "" {
		if !m.erase && m.scope == "" && m.key == "" {
			if m.args, err = m.searched(a, cmd, words, c); err != nil || len(m.args) == 0 {
				t.none = true
				return t, err
			}
			words = strings.Join(m.args, " ")
		}
		pool, err = m.byWords(a, s, &t, pool, words)
		if err != nil {
			return t, err
		}
	}
	t.items = pool
	if words != "" || m.key != "" {
		t.scope = nil
	}
	if len(t.items)+len(t.sessions) == 0 && t.text == "" {
		return t, app.Failf(app.ExitFailure, "nothing matches; nothing was done").Hint("see what there is: %s", a.Verb("memory list"))
	}
	return t, nil
}

// searched are the references that words mean to a person, who is asked which.
func (m *aim) searched(a *app.App, cmd *cobra.Command, words string, c find.Choice) ([]string, error) {
	ids, err := meant(a, cmd, []string{words}, c)
	refs := make([]string, len(ids))
	for i, id := range ids {
		refs[i] = id.String()
	}
	return refs, err
}

// byScope finds what the scope means, and the conversations of it.
func (m *aim) byScope(a *app.App, t *target, pool []memory.Item, sessions bool) error {
	var known []string
	for i := range pool {
		known = append(known, string(view.ScopeOf(pool[i])))
	}
	transcripts, err := find.Transcripts(a)
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
	full := m.scope
	if !slices.Contains(known, full) {
		if full, err = a.Place().Resolve(m.scope, known...); err != nil {
			return app.Failf(app.ExitUsage, "--scope %s: %w; nothing was done", m.scope, err)
		}
	}
	t.scope = sameScope(a, full)
	if !sessions {
		return nil
	}
	for _, tr := range transcripts {
		if id := tr.Header.Session; slices.ContainsFunc(held[id], t.scope) && !slices.Contains(t.sessions, id) {
			t.sessions = append(t.sessions, id)
		}
	}
	return nil
}

// sameScope is what a scope that was chosen takes in. What was said nowhere is of
// no scope, not even of that of everywhere.
func sameScope(a *app.App, full string) func(string) bool {
	p := a.Place()
	return func(scope string) bool { return scope != "" && p.Same(scope, full) }
}

// byWords finds the items of the pool that the words of the command line name: by
// reference, else by their text.
func (m *aim) byWords(a *app.App, s *memory.State, t *target, pool []memory.Item, words string) ([]memory.Item, error) {
	if ids, err := parseRefs(strings.Fields(words)); err == nil {
		t.named = true
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
			case m.erase && status == memory.StatusErased:
				items = append(items, memory.Item{ID: id, Record: new(memory.Record)})
			case slices.Contains(m.statuses(), status):
				return nil, app.Failf(app.ExitFailure, "%s is not among what the other filters choose; nothing was done", id)
			case m.erase && status == memory.StatusChange:
				return nil, app.Failf(app.ExitFailure, "%s: a line that changes another memory", id).
					Hint("erase the memory itself: %s", a.Verb("memory history "+id.String()))
			default:
				return nil, fmt.Errorf("%s: %w", id, engine.ErrNotActive)
			}
		}
		return items, nil
	}
	t.text = words
	n := wording.Normal(words)
	if n == "" {
		return nil, app.Usage("the text is empty; nothing was done")
	}
	var same, within []memory.Item
	for _, it := range pool {
		switch text := wording.Normal(it.Record.Content); {
		case text == n:
			same = append(same, it)
		case hasPhrase(text, n):
			within = append(within, it)
		}
	}
	switch {
	case len(same) > 0:
		return same, nil
	case m.erase: // a text that no memory says may stand elsewhere; one that is part of a memory is not that memory
		if len(within) > 0 {
			return nil, app.Failf(app.ExitFailure, "no memory says just that; it is part of %s", refsOf(within)).
				Hint("erase by number: %s", a.Verb("erase "+within[0].Ref()))
		}
		return nil, nil
	case len(within) > 0:
		return within, nil
	}
	return nil, app.Failf(app.ExitFailure, "no memory says %q; nothing was done", words).
		Hint("see what there is: %s", a.Verb("recall --in memory "+words))
}

// hasPhrase reports whether a text has a phrase in it that neither begins nor ends
// within a word; both are normalised.
func hasPhrase(text, phrase string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], phrase)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(phrase)
		if !withinWord(text, start) && !withinWord(text, end) {
			return true
		}
		_, size := utf8.DecodeRuneInString(text[start:])
		from = start + size
	}
}

// withinWord reports whether a word of letters and digits goes on across byte i.
func withinWord(text string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i:])
	letter := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }
	return letter(before) && letter(after)
}

func refsOf(items []memory.Item) string {
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
