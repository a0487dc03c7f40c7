package doctor

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"ken/internal/connect"
	"ken/internal/termsafe"
	"ken/internal/tool/mcp"
	"ken/internal/view"
)

// assistants looks at those of this machine, each with what becomes of the server in its settings: no assistant tells its person
// that it does not answer.
func (d *doctor) assistants(ctx context.Context) {
	home := d.person.Getenv("HOME")
	if !filepath.IsAbs(home) {
		return
	}
	at := connect.Place{Home: home, Getenv: d.person.Getenv}
	agents := slices.DeleteFunc(connect.Agents(), func(a connect.Agent) bool { return a.IsEditor })
	found := make([]view.Sign, len(agents))
	var all sync.WaitGroup
	for i, agent := range agents {
		all.Go(func() { found[i] = d.assistant(ctx, agent, at) })
	}
	all.Wait()
	for _, sign := range found {
		if sign.Level != "" {
			d.found = append(d.found, sign)
		}
	}
}

// assistant is how one stands; the zero sign if it is not here. The server in its settings is started, as it would
// start it.
func (d *doctor) assistant(ctx context.Context, agent connect.Agent, at connect.Place) view.Sign {
	again := d.person.Verb("setup " + agent.Name)
	sign := func(level, says, next string) view.Sign {
		return view.Sign{Level: level, What: agent.Name, Says: says, Next: next}
	}
	server, there, err := agent.Registered(at)
	foreign := (*connect.ForeignError)(nil)
	switch {
	case errors.As(err, &foreign):
		return sign(view.SignNote, termsafe.Line(err.Error()), "look at it; to have ken there, take it out first")
	case err != nil:
		return sign(view.SignGap, termsafe.Line(err.Error()), "mend the file: "+agent.Title+" does not read it either")
	case !there && agent.Here(at, d.person.FindProgram):
		return sign(view.SignNote, "here, and not set up: it does not use the memory", again)
	case !there:
		return view.Sign{}
	case d.o.Starter == nil:
		return sign(view.SignNote, "set up in "+d.h.Settings.Short(server.Path)+"; "+d.o.Unstarted, "")
	}
	got, err := mcp.Probe(ctx, server, *d.o.Starter)
	if err != nil {
		return sign(view.SignGap, "set up, but it has no memory: "+termsafe.Line(server.Argv[0])+": "+err.Error(), again)
	}
	self := d.o.Self
	if self == "" {
		self, _ = d.person.FindProgram("ken") // where there is none nothing is the same
	}
	says := d.h.Settings.Short(got.Program) + " answers"
	if !sameProgram(got.Program, self) {
		return sign(view.SignNote, says+", which is another ken than this one ("+termsafe.Line(got.Version)+")", again)
	}
	return sign(view.SignOK, says, "")
}

// sameProgram reports whether two paths lead to one file.
func sameProgram(a, b string) bool {
	one, err := os.Stat(a)
	other, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(one, other)
}
