package chat

import (
	"context"

	"ken/internal/agent/turn"
	"ken/internal/cli/run"
	"ken/internal/view"
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
	if err := o.Offer(ctx, ans.N, ans.Message.Content, ans.Commands); err != nil || !o.Ran() {
		return err
	}
	return s.goesOn(ctx)
}

// goesOn has the model go on from what its commands printed, where the person settled that, and so often in a row as a
// model may call tools.
func (s *REPL) goesOn(ctx context.Context) error {
	cfg, err := s.app.Home.Settings.Read()
	if err != nil || !cfg.Shell.GoOn || ctx.Err() != nil || !s.conv().Printed() {
		return err
	}
	if s.rounds++; s.rounds > cfg.MCP.MaxToolDepth {
		s.app.Status(":go has the model go on; it did so %s by itself (mcp.max_tool_depth)", view.Count(s.rounds-1, "time"))
		return nil
	}
	return s.asks(ctx, turn.Question{Text: goOn, Nudge: true, Output: true}, nil)
}

// typed is how a line gets into the history of what was typed, and on the prompt; nil where
// lines cannot be edited.
func (s *REPL) typed() (remember, begin func(line string)) {
	if e, ok := s.term.Editor.(*lineEditor); ok {
		return e.remember, e.Begin
	}
	return nil, nil
}
