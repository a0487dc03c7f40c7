package agent

import (
	"slices"

	"ken/internal/session"
)

// Before returns the questions that were live when turn n of a conversation was asked, as
// they were typed and the newest first: as many as its choice of memories looked at. hides
// reports turns that are not to be shown.
func Before(t *session.Transcript, n int, hides func(session.Turn) bool) (asked []string) {
	i := slices.IndexFunc(t.Entries, func(e session.Entry) bool { return e.Turn != nil && e.Turn.N == n })
	if i < 0 {
		return nil
	}
	live := (&session.Transcript{Header: t.Header, Entries: t.Entries[:i]}).Live()
	for _, turn := range slices.Backward(live.Turns) {
		if len(asked) < maxBefore && turn.ByPerson() && !hides(turn) && turn.Content != session.Gone {
			asked = append(asked, Typed(turn))
		}
	}
	return asked
}
