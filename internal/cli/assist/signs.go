package assist

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"ken/internal/cli/term"
	"ken/internal/config"
	"ken/internal/connect"
	"ken/internal/httpapi"
	"ken/internal/termsafe"
	"ken/internal/tool/mcp"
	"ken/internal/view"
)

// Signs says who uses the memory, and who is set up to and does not: no assistant tells its person that the server in
// its settings does not answer. The settings must have been read.
func Signs(ctx context.Context, a *term.Run) []view.Sign {
	return append(assistants(ctx, a), clients(a)...)
}

// assistants are those of this machine, each with what becomes of the server in its settings.
func assistants(ctx context.Context, a *term.Run) (signs []view.Sign) {
	home := a.Env.Getenv("HOME")
	if !filepath.IsAbs(home) {
		return nil
	}
	at := connect.Place{Home: home, Getenv: a.Env.Getenv}
	agents := slices.DeleteFunc(connect.Agents(), func(a connect.Agent) bool { return a.IsEditor })
	found := make([]view.Sign, len(agents))
	var all sync.WaitGroup
	for i, agent := range agents {
		all.Go(func() { found[i] = signOf(ctx, a, agent, at) })
	}
	all.Wait()
	for _, sign := range found {
		if sign.Level != "" {
			signs = append(signs, sign)
		}
	}
	return signs
}

// signOf is how an assistant stands; the zero sign if it is not here. The server in its settings is started, as it would
// start it.
func signOf(ctx context.Context, a *term.Run, agent connect.Agent, at connect.Place) view.Sign {
	again := a.Verb("setup " + agent.Name)
	sign := func(level, says, next string) view.Sign {
		return view.Sign{Level: level, What: agent.Name, Says: says, Next: next}
	}
	server, there, err := agent.Registered(at)
	foreign := (*connect.ForeignError)(nil)
	switch {
	case errors.As(err, &foreign):
		return sign("note", termsafe.Line(err.Error()), "look at it; to have ken there, take it out first")
	case err != nil:
		return sign("gap", termsafe.Line(err.Error()), "mend the file: "+agent.Title+" does not read it either")
	case !there && agent.Here(at, a.Process.FindProgram):
		return sign("note", "here, and not set up: it does not use the memory", again)
	case !there:
		return view.Sign{}
	case a.Lane.In():
		return sign("note", "set up in "+a.Home.Settings.Short(server.Path)+"; it is started for a person only", "")
	}
	got, err := probe(ctx, a, server)
	if err != nil {
		return sign("gap", "set up, but it has no memory: "+termsafe.Line(server.Argv[0])+": "+err.Error(), again)
	}
	self := a.Env.Self
	if self == "" {
		self, _ = a.Process.FindProgram("ken") // where there is none nothing is the same
	}
	says := a.Home.Settings.Short(got.Program) + " answers"
	if !sameProgram(got.Program, self) {
		return sign("note", says+", which is another ken than this one ("+termsafe.Line(got.Version)+")", again)
	}
	return sign("ok", says, "")
}

// probe starts the server that an assistant has in its settings, as it would, and asks nothing of it.
func probe(ctx context.Context, a *term.Run, server connect.Server) (got mcp.Answer, err error) {
	start := mcp.Starter{Dir: a.Env.Dir, Find: a.Process.FindProgram, Now: a.Env.Clock}
	if a.Env.Environ != nil {
		start.Environ = a.Env.Environ()
	}
	return mcp.Probe(ctx, server, start)
}

// sameProgram reports whether two paths lead to one file.
func sameProgram(a, b string) bool {
	one, err := os.Stat(a)
	other, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(one, other)
}

// clients are the programs that may ask over HTTP, and when each last did.
func clients(a *term.Run) (signs []view.Sign) {
	paths, err := a.Home.Settings.Places()
	if err != nil {
		return nil // it is said of the settings
	}
	all := httpapi.Clients{Path: config.ClientsIn(paths), Asked: config.AskedIn(paths), Now: a.Env.Now}
	list, err := all.List()
	if err != nil {
		return []view.Sign{{Level: "gap", What: "http", Says: err.Error()}}
	}
	for _, c := range list {
		says := c.Name + " has a token, and has not asked yet"
		if at := all.LastAsked(c.Name); !at.IsZero() {
			says = c.Name + " last asked " + view.When(at)
		}
		signs = append(signs, view.Sign{Level: "ok", What: "http", Says: says})
	}
	return signs
}
