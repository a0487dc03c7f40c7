package pick

import (
	"context"
	"errors"
	"slices"

	"ken/internal/fault"
	"ken/internal/index/live"

	"ken/internal/cli/term"
	"ken/internal/index"
	"ken/internal/recall"
	"ken/internal/search"
	"ken/internal/session"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// Session resolves what a person calls a session: a name, or else words of
// one, of what was asked first or of any of its turns, of which the nearest are
// offered. "" is the person's answer: none of them.
func Session(ctx context.Context, a *term.Run, name string, c Options) (string, error) {
	path, near, err := sessionsMeant(ctx, a, name)
	if len(near) == 0 {
		return path, err
	}
	if !a.Person.Present() {
		return "", fault.New(fault.NotFound, err).WithHint("did you mean %s?", fault.Command(c.Command+" "+termsafe.Line(near[0].Ref)))
	}
	c.One, c.Numbered = true, true
	names, err := Choose(ctx, a, near, name, c)
	if err != nil || len(names) == 0 {
		return "", err
	}
	return a.Home.Conversations.Dir().Find(names[0])
}

// HasSession fails where Session would without asking: name means no conversation.
func HasSession(ctx context.Context, a *term.Run, name string) error {
	_, near, err := sessionsMeant(ctx, a, name)
	if len(near) > 0 {
		return nil
	}
	return err
}

// sessionsMeant is the file of the session called name; else an error, and the
// conversations that name may mean, best first, if there are any.
func sessionsMeant(ctx context.Context, a *term.Run, name string) (path string, near []search.Found, err error) {
	if bare := Bare(name); bare != name { // as a hit of a search is printed
		if _, err := session.ParseRef(bare); err == nil {
			name = bare
		} else if _, err := a.Home.Conversations.Dir().Find(bare); err == nil {
			name = bare
		}
	}
	path, err = a.Home.Conversations.Dir().Find(name)
	if errors.Is(err, session.ErrNone) {
		if ref, rerr := session.ParseRef(name); rerr == nil { // a hit of a search
			path, err = a.Home.Conversations.Dir().Find(ref.Session)
		}
	}
	if !errors.Is(err, session.ErrNone) {
		return path, nil, err
	}
	near, nearErr := nearSessions(ctx, a, name)
	switch {
	case nearErr != nil:
		return "", nil, nearErr
	case len(near) == 0:
		return "", nil, fault.New(fault.NotFound, err).WithHint("see what there is: %s", fault.Command("sessions list --all"))
	}
	return "", near, err
}

// nearSessions are conversations that text may mean, best first: by the words of
// their names and of what was asked first, then by those of their other turns.
func nearSessions(ctx context.Context, a *term.Run, text string) ([]search.Found, error) {
	list, _, err := a.Home.Conversations.Dir().List()
	if err != nil {
		return nil, err
	}
	s, err := a.Home.Memory.State(ctx)
	if err != nil {
		return nil, err
	}
	gone := live.ForgottenIn(s)
	docs := make([]index.Document, len(list))
	for i, l := range list {
		if gone.Title(l) {
			l.First = "" // its name still finds it
		}
		docs[i] = index.Document{Ref: l.Name, In: index.Sessions, Kind: string(session.RoleUser), Content: l.First, Key: l.Name, Time: l.Written}
	}
	hits, err := recall.Search(ctx, []*index.Corpus{index.NewScan(slices.Values(docs))}, recall.Question{Text: text})
	if err != nil {
		return nil, err
	}
	found := make([]search.Found, len(hits))
	for i, h := range hits {
		found[i] = search.Found{Hit: view.Hit{Ref: h.Ref, In: string(h.In), Kind: h.Kind, Content: h.Content}, At: h.Time}
	}
	said, err := saidIn(ctx, a, text)
	if err != nil {
		return nil, err
	}
	for _, f := range said {
		if !slices.ContainsFunc(found, func(o search.Found) bool { return o.Ref == f.Ref }) {
			found = append(found, f)
		}
	}
	return found, nil
}

// saidIn are the conversations in which something about text was said, best first, each
// with the turn that says most of it. What was forgotten finds none.
func saidIn(ctx context.Context, a *term.Run, text string) ([]search.Found, error) {
	l, err := search.Open(ctx, a.Home, index.Sessions)
	if err != nil {
		return nil, err
	}
	hits, err := l.Find(ctx, search.Query{Text: text})
	if err != nil {
		return nil, err
	}
	var found []search.Found
	for _, h := range hits {
		ref, err := session.ParseRef(h.Ref)
		if err != nil || slices.ContainsFunc(found, func(o search.Found) bool { return o.Ref == ref.Session }) {
			continue
		}
		h.Ref = ref.Session
		found = append(found, h)
	}
	return found, nil
}
