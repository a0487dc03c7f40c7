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
		o.Remember, o.Begin = s.typed()
	}
	return o.Offer(ctx, ans.Message.Content, ans.Commands)
}

// typed is how a line gets into the history of what was typed, and on the prompt; nil where
// lines cannot be edited.
func (s *REPL) typed() (remember, begin func(line string)) {
	if e, ok := s.term.Editor.(*lineEditor); ok {
		return e.remember, e.Begin
	}
	return nil, nil
}
