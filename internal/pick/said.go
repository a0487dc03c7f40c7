package pick

import (
	"context"
	"strings"

	"ken/internal/app"
	"ken/internal/teach"
)

// Words is Said of the words behind "forget".
func Words(ctx context.Context, h *app.View, words []string) (m Selector, ok bool) {
	return Said(ctx, h, teach.Read("forget "+strings.Join(words, " ")))
}

// Said is what a wish means to have forgotten that names it by its key, or is all of a place:
// "the key editor", "everything about project tea". ok is false if it names something else,
// or if nothing of that is known.
func Said(ctx context.Context, h *app.View, r teach.Reading) (m Selector, ok bool) {
	switch {
	case r.Act != teach.Forget:
		return m, false
	case r.Key != "":
		m = Selector{Key: r.Key, Keyed: true}
	case r.All && strings.HasPrefix(r.Scope, "repo:") && !strings.Contains(r.Scope, "/"):
		m = Selector{Project: strings.TrimPrefix(r.Scope, "repo:")}
	case r.All && r.Scope != "":
		m = Selector{Scope: r.Scope, Scoped: true}
	case r.All && !strings.ContainsAny(r.Text, " \t") && !app.Ordinary(r.Text):
		m = Selector{Project: r.Text}
	default:
		return m, false
	}
	t, err := m.Find(ctx, h)
	return m, err == nil && len(t.Items)+len(t.Sessions) > 0
}
