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
	o := mcp.Options{
		Settings: cfg.MCP, Home: a.Env.Getenv("HOME"), Dir: a.Env.Dir, Pins: config.ToolsIn(a.Home.Settings.Paths()),
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
	if !a.Lane.In() && a.Person.Present() {
		o.Elicit, o.Visit = a.elicit, a.visit
	}
	a.servers = mcp.New(o)
	return a.servers, nil
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
