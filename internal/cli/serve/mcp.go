package serve

import (
	"context"
	"io"

	"ken/internal/assistant"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/mcpserver"
)

// An MCP is how the memory is served to an assistant.
type MCP struct {
	Name    string // of the assistant; "": as it calls itself
	HTTP    string // the address at which assistants with tokens are answered; "": the standard streams
	NoBlock bool   // the start-up block is not in the greeting
	Scope   string // "user": the assistant is given what holds everywhere, wherever it works; "": also what holds there
}

// Run serves the assistant that started this program, until it hangs up; or those that come over HTTP, until ctx is done.
func (m MCP) Run(ctx context.Context, a *term.Run) error {
	switch {
	case m.HTTP != "" && m.Name != "":
		return fault.Usagef("--as names who started this program; over HTTP an assistant has the name of its token").
			WithHint("leave --as out")
	case m.HTTP != "" && m.Scope != "":
		return fault.Usagef("over HTTP an assistant has what holds everywhere, and no more: leave --scope out")
	case m.HTTP != "":
		return HTTP{TCP: m.HTTP, flag: "--http", alone: true, noBlock: m.NoBlock}.Run(ctx, a)
	case a.Person.Present():
		return fault.Usagef("mcp speaks with an assistant, and this is a terminal").
			WithHint("list the tool servers: %s", fault.Command("mcp list"))
	case a.Flags.NoMemory:
		return fault.Usagef("mcp serves the memory: it cannot be without one")
	case m.Name != "" && assistant.NameOf(m.Name) != m.Name:
		return fault.Usagef("name %q: want lower case letters, digits and hyphens, at most 32", m.Name)
	}
	o := mcpserver.Options{
		App: a.Home.App(), At: a.Env.Dir, Home: a.Env.Getenv("HOME"), Version: term.Version, Name: m.Name, NoBlock: m.NoBlock,
	}
	if m.Scope != "" {
		if err := term.OneOf("--scope", m.Scope, "user"); err != nil {
			return err
		}
		o.At, o.Home, o.Within = "", "", true
	}
	if a.Env.Serves != nil {
		a.Env.Serves()
	}
	return mcpserver.Serve(ctx, o, a.Env.Stdin, nopCloser{a.Env.Stdout})
}

// nopCloser is a stream that somebody else closes.
type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }
