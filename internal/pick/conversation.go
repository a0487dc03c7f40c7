package pick

import (
	"context"
	"errors"
	"slices"

	"ken/internal/app"
	"ken/internal/fault"
	"ken/internal/index"
	"ken/internal/recall"
	"ken/internal/session"
	"ken/internal/view"
)

// Conversation is the file of the conversation called name; else an error, and the conversations that
// the name may mean, best first, if there are any. What of others cannot be read is a warning.
func Conversation(ctx context.Context, h *app.View, name string) (path string, near []app.Found, err error) {
	if bare := Bare(name); bare != name { // as a hit of a search is printed
		if _, err := session.ParseRef(bare); err == nil {
			name = bare
		} else if _, err := h.Conversations.Dir().Find(bare); err == nil {
			name = bare
		}
	}
	path, err = h.Conversations.Dir().Find(name)
	if errors.Is(err, session.ErrNone) {
		if ref, rerr := session.ParseRef(name); rerr == nil { // a hit of a search
			path, err = h.Conversations.Dir().Find(ref.Session)
		}
	}
	if !errors.Is(err, session.ErrNone) {
		return path, nil, err
	}
	near, nearErr := nearSessions(ctx, h, name)
	switch {
	case nearErr != nil:
		return "", nil, nearErr
	case len(near) == 0:
		return "", nil, fault.New(fault.NotFound, err).WithHint("see what there is: %s", fault.Command("sessions list --all"))
	}
	return "", near, err
}

// nearSessions are conversations that text may mean, best first: by the words of
// their names and titles, then by those of their turns.
func nearSessions(ctx context.Context, h *app.View, text string) ([]app.Found, error) {
	all, warnings := app.HeldConversations(ctx, h)
	for _, w := range warnings {
		h.Warn(w)
	}
	docs := make([]index.Document, len(all))
	for i, l := range all {
		said := l.Title
		if l.First != l.Title {
			said += "\n" + l.First
		}
		docs[i] = index.Document{Ref: l.Name, In: index.Sessions, Kind: string(session.RoleUser), Content: said, Key: l.Name, Time: l.Written}
	}
	hits, err := recall.Search(ctx, []*index.Corpus{index.NewScan(slices.Values(docs))}, recall.Question{Text: text})
	if err != nil {
		return nil, err
	}
	found := make([]app.Found, len(hits))
	for i, h := range hits {
		found[i] = app.Found{Hit: view.Hit{Ref: h.Ref, In: string(h.In), Kind: h.Kind, Content: h.Content}, At: h.Time}
	}
	said, err := app.SaidIn(ctx, h, text)
	if err != nil {
		return nil, err
	}
	for _, f := range said {
		i := slices.IndexFunc(all, func(l app.Conversation) bool { return l.Header.Session == f.Ref })
		if i >= 0 {
			f.Ref = all[i].Name
		}
		if !slices.ContainsFunc(found, func(o app.Found) bool { return o.Ref == f.Ref }) {
			found = append(found, f)
		}
	}
	return found, nil
}
