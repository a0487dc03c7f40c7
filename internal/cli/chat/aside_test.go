package chat

import (
	"testing"

	"ken/internal/session"
)

// TestAsideText: turns that are not sent stand in the order of their numbers, whatever order they
// left in, and in one form.
func TestAsideText(t *testing.T) {
	t.Parallel()
	type span struct {
		from, to int
		why      session.Left
	}
	for want, spans := range map[string][]span{
		"":                                 nil,
		"3 (no answer)":                    {{3, 3, session.LeftUnanswered}},
		"1-4 (asked again), 5-6 (dropped)": {{5, 6, session.LeftDropped}, {1, 2, session.LeftReplaced}, {3, 4, session.LeftReplaced}},
		"1-2, 7 (dropped), 8 (no answer)":  {{7, 7, session.LeftDropped}, {1, 2, session.LeftDropped}, {8, 8, session.LeftUnanswered}},
		"1 (dropped), 2 (asked again), 3-4 (dropped)": {
			{2, 2, session.LeftReplaced}, {0, 1, session.LeftDropped}, {3, 4, session.LeftDropped},
		},
	} {
		var aside []session.Entry
		for _, s := range spans {
			for n := s.from; n <= s.to; n++ {
				aside = append(aside, session.Entry{Turn: &session.Turn{N: n}, Left: s.why})
			}
		}
		if got := asideText(aside); got != want {
			t.Errorf("asideText = %q, want %q", got, want)
		}
	}
}
