package run

import (
	"context"

	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/memory"
	"ken/internal/session/feedback"
)

// linesBack has lines of the memory taken back, and tells the conversations that those are from which state something.
func linesBack(ctx context.Context, a *term.Run, refs []string, undo func() error) error {
	ids, err := memory.ParseTyped(refs...)
	s, serr := a.Home.Memory.State(ctx)
	if err != nil || serr != nil {
		return undo() // which says what is wrong
	}
	from := make(map[memory.ID]*memory.Source)
	for _, id := range ids {
		if it, status := s.Get(id); status == memory.StatusActive {
			from[it.ID] = it.Record.Source
		}
	}
	if err := undo(); err != nil {
		return err
	}
	for _, id := range ids {
		src, stated := from[id]
		if !stated {
			continue
		}
		if err := feedback.Undo(a.Home.Conversations.Dir(), a.Live, id.String(), src); err != nil {
			a.Warn(fault.Once(err))
		}
	}
	return nil
}
