package serve

import (
	"context"
	"errors"
	"fmt"

	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/tool/mcp"
	"ken/internal/view"
)

// login has the person sign in to a server.
func login(ctx context.Context, a *term.Run, name string) error {
	s, err := a.Servers()
	if err != nil {
		return err
	}
	switch err := s.Login(ctx, name); {
	case errors.Is(err, mcp.ErrNoServer):
		return noServer(name)
	case errors.Is(err, mcp.ErrNobody):
		again := fault.Command("mcp login " + name)
		return fault.Refusedf("nobody can be asked: you are not signed in to %s", name).WithHint("%s on a terminal", again)
	case err != nil:
		_ = s.Said() // the error says it
		return fmt.Errorf("sign in to %s: %w", name, err)
	}
	tools, _, _ := s.Tools(name)
	a.Status("%s: signed in, %s", name, view.Count(len(tools), "tool"))
	return nil
}

// logout forgets what signing in to a server gave.
func logout(ctx context.Context, a *term.Run, name string) error {
	s, err := a.Servers()
	if err != nil {
		return err
	}
	had, err := s.Logout(ctx, name)
	switch {
	case errors.Is(err, mcp.ErrNoServer):
		return noServer(name)
	case err != nil:
		return fmt.Errorf("sign out of %s: %w", name, err)
	case !had:
		a.Status("%s: you were not signed in", name)
		return nil
	}
	a.Status("%s: signed out", name)
	return nil
}
