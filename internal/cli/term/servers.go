package term

import (
	"ken/internal/config"
	"ken/internal/termsafe"
	"ken/internal/tool/mcp"
)

// Servers returns the tool servers of this run, as the settings had them when they were first asked
// for. None is started by that; they end with the run.
func (a *Run) Servers() (*mcp.Servers, error) {
	if a.servers != nil {
		return a.servers, nil
	}
	cfg, err := a.Home.Settings.Read()
	if err != nil {
		return nil, err
	}
	o := a.serversOf(cfg.MCP, a.Env.Dir)
	if !a.Lane.In() && a.Person.Present() {
		o.Elicit, o.Visit = a.elicit, a.visit
	}
	a.servers = mcp.New(o)
	return a.servers, nil
}

// ServersOf makes tool servers that no settings of the person name: nothing of what those say of servers holds for them, and
// nobody signs in to them. They run where dir is, and end with Close.
func ServersOf(a *Run) func(dir string, set map[string]config.Server) *mcp.Servers {
	return func(dir string, set map[string]config.Server) *mcp.Servers {
		o := a.serversOf(config.MCP{Servers: set}, dir)
		o.Logins, o.Late = "", ""
		return mcp.New(o)
	}
}

func (a *Run) serversOf(set config.MCP, dir string) mcp.Options {
	o := mcp.Options{
		Settings: set, Home: a.Env.Getenv("HOME"), Dir: dir, Pins: config.ToolsIn(a.Home.Settings.Paths()),
		Version: Version, Now: a.Env.Clock, Self: a.Env.Self,
		Logins: config.LoginsIn(a.Home.Settings.Paths()), Secret: a.Home.Keys.Add, Late: config.LateIn(a.Home.Settings.Paths()),
	}
	if a.Home.Settings.ReadOnly() {
		o.Late = ""
	}
	if o.Now == nil {
		o.Now = a.Env.Now
	}
	if a.Env.Environ != nil {
		o.Env = a.Env.Environ()
	}
	return o
}

// Starter is how a tool server is started that is not one of this run's: those that assistants have in their settings.
func (a *Run) Starter() mcp.Starter {
	start := mcp.Starter{Dir: a.Env.Dir, Find: a.Process.FindProgram, Now: a.Env.Clock}
	if a.Env.Environ != nil {
		start.Environ = a.Env.Environ()
	}
	return start
}

// CloseServers ends the tool servers of this run, if there are any.
func (a *Run) CloseServers() {
	if a.servers != nil {
		a.servers.Close()
	}
}

// TellServers says what the person should know of the tool servers of this run, and was not told.
func (a *Run) TellServers() {
	if a.servers == nil {
		return
	}
	for _, line := range a.servers.Said() {
		a.Status("%s", termsafe.Line(a.Home.Keys.MaskText(line)))
	}
}
