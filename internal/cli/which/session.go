package which

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"sync"

	"ken/internal/app"
	"ken/internal/cli/term"
	"ken/internal/dates"
	"ken/internal/fault"
	"ken/internal/pick"
	"ken/internal/repl/choose"
	"ken/internal/termsafe"
)

// Session resolves what a person calls a session: a name, or else words of one, of its
// title or of any of its turns. One that alone is meant is taken; of several, and where
// nothing is named, they choose from a list. "" is the person's answer: none of them.
func Session(ctx context.Context, a *term.Run, name string, c Options) (string, error) {
	if strings.TrimSpace(name) == "" {
		return chooseFrom(ctx, a, "", c, nil)
	}
	path, near, err := pick.Conversation(ctx, a.Home, name)
	switch {
	case len(near) == 0:
		return path, err
	case !a.Person.Present():
		return "", fault.New(fault.NotFound, err).WithHint("did you mean %s?", fault.Command(c.Command+" "+termsafe.Line(near[0].Ref)))
	case len(near) == 1:
		return a.Home.Conversations.Dir().Find(near[0].Ref)
	}
	return chooseFrom(ctx, a, name, c, near)
}

// The scopes of a list of conversations.
const (
	scopeHere = iota
	scopeAll
	scopeRest // single questions and transcripts of other programs
)

// chooseFrom has the person choose a conversation from a list; near are those that text
// means, if that was looked up.
func chooseFrom(ctx context.Context, a *term.Run, text string, c Options, near []app.Found) (string, error) {
	if _, err := a.Home.Settings.Read(); err != nil {
		return "", err
	}
	if !a.Person.Present() {
		return "", fault.Usagef("%s which conversation?", c.Verb).WithHint("see what there is: %s", fault.Command("sessions list"))
	}
	each, err := app.EachConversation(ctx, a.Home)
	if err != nil {
		a.Warn(err)
	}
	var warnings []error
	t := listed{a: a, text: text, names: make(map[string]string)}
	for _, f := range near {
		t.near = append(t.near, f.Ref)
	}
	got, err := FromList(ctx, a, choose.Options{
		Ask: c.Verb + " which?", Filter: text, Scopes: []string{"here", "all", "all and single questions"},
		Empty: "no conversation yet",
		Entries: func(ctx context.Context) iter.Seq[choose.Entry] {
			return func(yield func(choose.Entry) bool) {
				for c, err := range each {
					if ctx.Err() != nil {
						return
					}
					if err != nil {
						warnings = append(warnings, err)
						continue
					}
					if e, ok := t.entry(c); ok && !yield(e) {
						return
					}
				}
			}
		},
		Find: t.find,
	})
	for _, w := range warnings {
		a.Warn(w)
	}
	return got.ID, err
}

// listed are the conversations of a list, by how a search names them.
type listed struct {
	a    *term.Run
	text string   // what near was looked up for
	near []string // names and ids

	mu    sync.Mutex
	names map[string]string // the path of the one with that name or id
}

// entry is a conversation in the list; ok is false for one in which nothing was said, and
// for the one that is being held.
func (t *listed) entry(l app.Conversation) (e choose.Entry, ok bool) {
	if l.Turns == 0 || t.a.Shell != nil && l.Path == t.a.Shell.SessionPath() {
		return e, false
	}
	t.mu.Lock()
	t.names[l.Name], t.names[l.Header.Session] = l.Path, l.Path
	t.mu.Unlock()
	e = choose.Entry{
		ID: l.Path, Text: l.Called(), Also: l.Name + " " + l.First, Order: l.Written.UnixNano(),
		Note: dates.Local(l.Written, t.a.Env.Now()) + fmt.Sprintf("%6s", fmt.Sprint(l.Turns)),
	}
	switch {
	case l.Imported || l.OneShot():
		e.Scope = scopeRest
	case !l.Here:
		e.Scope = scopeAll
	}
	return e, true
}

// find are the conversations in which something about text was said. One search goes on
// at a time.
func (t *listed) find(ctx context.Context, text string) (map[string]bool, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	refs := t.near
	if text != t.text || refs == nil {
		found, err := app.SaidIn(ctx, t.a.Home, text)
		if err != nil {
			return nil, err
		}
		refs = nil
		for _, f := range found {
			refs = append(refs, f.Ref)
		}
	}
	ids := make(map[string]bool)
	for _, ref := range refs {
		if path := t.names[ref]; path != "" {
			ids[path] = true
		}
	}
	return ids, nil
}
