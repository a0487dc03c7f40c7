package serve

import (
	"context"

	"ken/internal/acp"
	"ken/internal/agent/talk"
	"ken/internal/cli/term"
	"ken/internal/fault"
)

// ACP answers the editor that started this program, until it hangs up.
func ACP(ctx context.Context, a *term.Run) error {
	switch {
	case a.Person.Present():
		return fault.Usagef("acp speaks with an editor, and this is a terminal").WithHint("the editor starts it: docs/editors.md")
	case a.Flags.NoMemory:
		return fault.Usagef("acp talks with the memory: it cannot be without one")
	}
	if _, err := a.Home.Settings.Read(); err != nil {
		return err
	}
	if a.Env.Serves != nil {
		a.Env.Serves()
	}
	images := false
	if p, err := a.Home.Models().Preset(""); err == nil {
		images = a.Home.Models().TakesImages(p.Name)
	}
	return acp.Serve(ctx, acp.Options{
		Version: term.Version, Images: images, Warn: a.Warn, Self: a.Env.Self,
		Servers: term.ServersOf(a),
		Talk: talk.Options{
			Memory: a.Home.App(), Getenv: a.Env.Getenv, Environ: a.Env.Environ, FindProgram: a.Process.FindProgram, Warn: a.Warn,
			Who: a.Home.Actor(), Channel: acp.Channel, Where: "in their editor", Abrupt: true,
		},
	}, a.Env.Stdin, a.Env.Stdout)
}
