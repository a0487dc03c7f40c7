package chat

import (
	"context"

	"ken/internal/agent/turn"
	"ken/internal/cli/run"
)

// offer asks about the commands of an answer. One that broke off may have lost the
// end of a command, and what is left of it may be another one.
func (s *REPL) offer(ctx context.Context, ans turn.Answer) error {
	if len(ans.Commands) == 0 || !s.term.Asks {
		return nil
	}
	if ans.Partial {
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
	return o.Offer(ctx, ans.Commands)
}
