package which

import (
	"context"

	"ken/internal/cli/term"
	"ken/internal/repl"
	"ken/internal/repl/choose"
)

// FromList has the person choose one of many from a list that they shorten by typing:
// see package choose. Where it cannot be drawn it is numbered. None is their answer too:
// Choice.Taken says. Without a person the error is repl.ErrNoTerminal.
func FromList(ctx context.Context, a *term.Run, o choose.Options) (choose.Choice, error) {
	var c choose.Choice
	name := a.Env.Getenv("TERM")
	wide, _ := a.Person.Size()
	err := a.Person.OnTerminal(func(t *repl.Terminal) (err error) {
		c, err = t.Choose(ctx, o, name != "" && name != "dumb", wide)
		return err
	})
	return c, err
}
