package serve

import (
	"context"
	"fmt"
	"sync"
	"time"

	"ken/internal/agent/talk"
	"ken/internal/app"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/httpapi"
	"ken/internal/repl"
	"ken/internal/view"
	"ken/internal/web"
)

// page is the page of a server.
func (s HTTP) page(a *term.Run, memory *app.App, clients httpapi.Clients) (*web.Page, error) {
	var voice sync.Mutex // several conversations speak, and a run's voice is for one
	warn := func(err error) {
		voice.Lock()
		defer voice.Unlock()
		a.Warn(err)
	}
	o := web.Options{
		Owner: web.OwnerOf(memory), Now: a.Env.Now, Warn: warn,
		Talk: &talk.Options{
			Getenv: a.Env.Getenv, Now: a.Env.Now, Version: term.Version, Config: a.Flags.Config, Local: a.Env.Local, Warn: warn,
			ReadOnly: a.Home.Settings.ReadOnly(),
		},
		Clients: func() ([]web.Client, error) {
			list, err := clients.List()
			rows := make([]web.Client, len(list))
			for i, c := range list {
				rows[i] = web.Client{Name: c.Name, Since: c.Added.Format(time.DateOnly), May: "suggest"}
				switch {
				case c.Page:
					rows[i].May = "see and change, as you"
				case c.ReadOnly:
					rows[i].May = "read"
				}
			}
			return rows, err
		},
	}
	if s.Signs != nil {
		o.Signs = func(ctx context.Context) []view.Sign { return s.Signs(ctx, a) }
	}
	return web.New(o)
}

// A Page is the link by which the person's browser comes to the page.
type Page struct {
	TCP string // the address at which ken serve --tcp listens
}

// Run makes the token of the page, in the place of the one that there was, and shows the link with it: to a terminal alone,
// for whoever has it is the person.
func (p Page) Run(ctx context.Context, a *term.Run) error {
	if !a.Person.Present() {
		return fault.Refusedf("the link to the page is shown at a terminal alone").WithHint("there: %s", fault.Command("serve page"))
	}
	if err := httpapi.MayListen("--tcp", p.TCP); err != nil {
		return err
	}
	clients, err := clientsOf(a)
	if err != nil {
		return err
	}
	token, err := clients.AddPage(ctx)
	if err != nil {
		return err
	}
	a.Status("your page, while %s runs; links that were made before are void:", fault.Command("serve --tcp "+p.TCP))
	return a.Person.OnTerminal(func(t *repl.Terminal) error { // whatever standard output is: no file is to have it
		_, err := fmt.Fprintf(t.Out, "http://ken:%s@%s/enter\n", token, p.TCP)
		return err
	})
}
