package index

import (
	"slices"
	"time"

	"ken/internal/session"
)

// Until returns the conversation as it stood at that time: without the turns and events
// that came later. What has no time counts with what stands before it.
func Until(t *session.Transcript, at time.Time) *session.Transcript {
	then := *t
	late := false
	then.Entries = slices.DeleteFunc(slices.Clone(t.Entries), func(e session.Entry) bool {
		var when time.Time
		if e.Turn != nil {
			when = e.Turn.Time
		} else if e.Event != nil {
			when = e.Event.Time
		}
		if !when.IsZero() {
			late = when.After(at)
		}
		return late
	})
	then.Mark() // what left the context later was in it
	return &then
}
