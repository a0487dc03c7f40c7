package talk

import (
	"context"

	"ken/internal/app"
	"ken/internal/attach"
	"ken/internal/session"
)

// reader reads what comes along with a question.
func reader(h *app.View) attach.Reader {
	return attach.Reader{Mask: func(s string) (string, int) {
		masked, hits := h.Keys.Mask(s)
		return masked, len(hits)
	}}
}

// A Held is a conversation that can be gone on with.
type Held struct {
	ID, Title, Updated string
}

// Here lists the conversations that were held where o is, whatever face they were held through, the newest first: at most most.
func Here(ctx context.Context, o Options, most int) (list []Held, err error) {
	t, err := Open(ctx, o)
	if err != nil {
		return nil, err
	}
	defer t.Close(ctx)
	for path, h := range t.home.Conversations.Dir().Newest() {
		if len(list) >= most {
			break
		}
		if h.Agent != "" || !t.home.Conversations.IsHere(h) {
			continue
		}
		l, err := session.Look(path)
		if err != nil || l.Turns == 0 {
			continue
		}
		title := l.Title
		if hides := t.home.Moment().Hides(ctx, h); hides != nil && hides(session.Turn{N: max(l.FirstN, 1), Content: title}) {
			title = ""
		}
		list = append(list, Held{ID: h.Session, Title: t.Mask(title), Updated: l.Said.UTC().Format("2006-01-02T15:04:05Z")})
	}
	return list, nil
}
