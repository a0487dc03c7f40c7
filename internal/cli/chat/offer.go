package chat

import (
	"context"

	"ken/internal/agent"
	"ken/internal/cli/run"
	"ken/internal/gate"
	"ken/internal/session"
)

// offer asks about the commands of an answer. One that broke off may have lost the
// end of a command, and what is left of it may be another one.
func (s *REPL) offer(ctx context.Context, ans agent.Answer) error {
	commands := gate.Proposed(ans.Message.Content)
	if len(commands) == 0 || !s.term.Asks {
		return nil
	}
	if ans.Truncated || ans.Finish == session.FinishLength {
		s.app.Status("the answer is not complete: its commands are not offered")
		return nil
	}
	o := &s.offerer
	if o.App == nil {
		*o = run.Offerer{App: s.app, Exec: s.execBy}
		if e, ok := s.term.Editor.(*lineEditor); ok {
			o.Remember, o.Begin = e.remember, e.Begin
		}
	}
	return o.Offer(ctx, commands)
}
