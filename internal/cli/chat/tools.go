package chat

import (
	"context"
	"fmt"

	"ken/internal/view"
)

// more asks whether a model that has called for so many rounds may go on.
func (s *REPL) more(ctx context.Context, rounds int) bool {
	if !s.term.Asks {
		return false
	}
	question := fmt.Sprintf("the model has called tools in %s and has not answered. Let it go on?", view.Count(rounds, "round"))
	yes, err := s.app.Person.Confirm(ctx, question)
	return err == nil && yes
}
