package chat

import (
	"context"
	"errors"
	"fmt"

	"ken/internal/models"
	"ken/internal/view"
)

// greet says what answers and what is remembered; to a person who starts ken for
// the first time also where memory is kept and what can be done.
func (s *REPL) greet(ctx context.Context) {
	a := s.app
	preset, err := a.Home.Models().Preset("")
	if err == nil {
		_, err = a.Home.Models().Client(preset)
	}
	switch {
	case err == nil:
		a.Status("model: %s", preset.Short())
	case errors.Is(err, models.ErrNone) && a.Home.Models().MayLook():
		a.Status("no model yet: a local one is looked for at your first question")
		if says, seen := a.Home.Models().Key(); seen {
			a.Home.Notef("%s", says)
		}
	default:
		a.Status("%v: memory works without one; to have answers, %s", err, a.NextStep(err))
	}
	if s.term.Asks && s.dialog.Fresh() {
		a.Status("memory: kept in %s, a text file of yours", a.Home.Settings.Short(a.Home.Settings.Paths().Memory()))
		a.Status("ask something, or :remember TEXT; :help lists the commands, Ctrl-D leaves")
		return
	}
	if len(s.conv().Turns()) > 0 {
		s.tellResumed(ctx)
	}
	s.tellMemory(ctx)
}

// tellMemory says what of the memory stands in the prompt. Without a memory
// there is nothing to say.
func (s *REPL) tellMemory(ctx context.Context) {
	c := s.conv().Background(ctx)
	if c.Fit+c.Archived == 0 {
		return
	}
	n := len(c.Chosen)
	says := view.Count(n, "item") + " injected"
	switch {
	case c.Fit > n && n == 0:
		says = "none of " + view.Thousands(c.Fit, "item") + " injected"
	case c.Fit > n:
		says = fmt.Sprintf("%d of %s injected", n, view.Thousands(c.Fit, "item"))
	case n == 0:
		says = "nothing injected"
	}
	if c.Archived > 0 {
		says += fmt.Sprintf(", %d archived", c.Archived)
	}
	if c.Fit > n || c.Archived > 0 {
		says += ": " + s.app.Home.Settings.Short(s.app.Home.Settings.Paths().Memory())
	}
	s.app.Status("memory: %s", says)
}
