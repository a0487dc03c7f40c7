package chat

import (
	"context"

	"ken/internal/app"
	"ken/internal/ask"
	"ken/internal/cli/term"
	"ken/internal/termsafe"
)

// askRenamed asks whether the memories of another name that the repository had hold here: once, since the answer is kept.
func (s *REPL) askRenamed(ctx context.Context) {
	a := s.app
	if !s.term.Asks || a.Lane.In() || a.Home.Settings.ReadOnly() {
		return
	}
	r := a.Home.Meetings.Renamed(ctx, a.Home.Moment())
	if r == nil {
		return
	}
	answer, leave, err := a.AskOwn(ctx, term.Own{
		OwnQuestion: app.OwnQuestion{Sort: app.AskProjects}, Says: r.Says(), // Follow notes what it was about
		One: &ask.Question{Asks: "do they hold here as well?", Choices: []ask.Choice{{Answer: ask.Yes}}},
	})
	if err != nil {
		a.Warn(err)
	}
	if err != nil || leave != app.MayAsk {
		return
	}
	yes := answer == string(ask.Yes)
	line, err := a.Home.Meetings.Follow(ctx, r, yes)
	switch {
	case err != nil:
		a.Report(term.NotSaved(err))
	case yes:
		a.Status("memories of %s hold here as well (undo: %s)", termsafe.Line(r.Was), a.Verb("undo "+line.String()))
	default:
		a.Status("they do not hold here (to be asked again: %s)", a.Verb("memory trust met revoke ."))
	}
}
