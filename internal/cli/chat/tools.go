package chat

import (
	"context"
	"fmt"
	"time"

	"ken/internal/view"
)

// How long the first question waits for tool servers: one of the shell for those that are there at once, which programs
// without a fetch before them are in a third of a second; the only one for slow ones as well, since nothing comes after.
const (
	firstWait = time.Second
	onlyWait  = 5 * time.Second
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
