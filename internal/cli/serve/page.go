package serve

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ken/internal/agent/talk"
	"ken/internal/app"
	"ken/internal/cli/term"
	"ken/internal/config"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/httpapi"
	"ken/internal/regular"
	"ken/internal/repl"
	"ken/internal/web"
)

// page is the page of a server.
func (s HTTP) page(a *term.Run, memory *app.App, clients httpapi.Clients) (*web.Page, error) {
	o := web.Options{
		Owner: web.OwnerOf(memory), Imports: web.ImportsOf(memory), Doctor: s.Doctor, Now: a.Env.Now, Warn: a.Warn,
		Talk: &talk.Options{Memory: memory, Warn: a.Warn},
		Clients: func() ([]web.Client, error) {
			list, err := clients.List()
			rows := make([]web.Client, len(list))
			for i, c := range list {
				rows[i] = web.Client{Name: c.Name, Since: c.Added.Format(time.DateOnly), May: may(c)}
			}
			return rows, err
		},
	}
	return web.New(o)
}

// A Page is the link by which the person's browser comes to the page.
type Page struct {
	TCP  string // the address at which ken serve --tcp listens; "": that of the one that runs, else the usual one
	Open bool   // the browser is sent there as well

	here bool // this process listens there
	runs bool // another one does
}

// UsualTCP is where the page is unless somebody says otherwise.
const UsualTCP = "127.0.0.1:8765"

// Run makes the token of the page, in the place of the one that there was, and shows the link with it: to a terminal alone,
// for whoever has it is the person.
func (p Page) Run(ctx context.Context, a *term.Run) error {
	if err := mayLink(a); err != nil {
		return err
	}
	if p.TCP == "" {
		p.TCP = cmp.Or(served(ctx, a), UsualTCP)
	}
	if err := httpapi.MayListen("--tcp", p.TCP); err != nil {
		return err
	}
	p.runs = httpapi.Answers(ctx, p.TCP)
	clients, err := clientsOf(a)
	if err != nil {
		return err
	}
	return p.show(ctx, a, clients)
}

// noteServed notes where the server of the page listens, for ken serve page, until done is called.
func noteServed(a *term.Run, at string) (done func()) {
	if a.Home.Settings.ReadOnly() {
		return func() {}
	}
	path := servedAt(a)
	_ = regular.PutDerived(path, at+"\n") // what is not known there is asked for
	return func() {
		if said, err := regular.Read(path, mostServed); err == nil && strings.TrimSpace(string(said)) == at {
			_ = os.Remove(path)
		}
	}
}

// served is where the server of the page listens; "": none that is known answers.
func served(ctx context.Context, a *term.Run) string {
	said, err := regular.Read(servedAt(a), mostServed)
	if at := strings.TrimSpace(string(said)); err == nil && httpapi.Answers(ctx, at) {
		return at
	}
	return ""
}

func servedAt(a *term.Run) string {
	return filepath.Join(config.ServedIn(a.Home.Settings.Paths()), "page")
}

const mostServed = 100 // bytes of an address

// mayLink refuses the link where it would not be the person's alone, and where its token could not be noted.
func mayLink(a *term.Run) error {
	if !a.Person.Present() {
		return fault.Refusedf("the link to the page is shown at a terminal alone").WithHint("there: %s", fault.Command("serve page"))
	}
	if _, err := a.Home.Settings.Read(); err != nil {
		return err
	}
	if a.Home.Settings.ReadOnly() {
		return engine.OnlyRead()
	}
	return nil
}

// show makes the token, and shows the link.
func (p Page) show(ctx context.Context, a *term.Run, clients httpapi.Clients) error {
	token, err := clients.AddPage(ctx)
	if err != nil {
		return err
	}
	switch {
	case p.here:
		a.Status("your page, while this runs:")
	case p.runs:
		a.Status("your page, at the server that runs:")
	default:
		a.Status("your page, while a server listens there: %s", fault.Command("serve --tcp "+p.TCP))
	}
	err = a.Person.OnTerminal(func(t *repl.Terminal) error { // whatever standard output is: no file is to have it
		_, err := fmt.Fprintf(t.Out, "http://ken:%s@%s/enter\n", token, p.TCP)
		return err
	})
	if err == nil && p.Open {
		p.open(ctx, a)
	}
	return err
}

// open sends the browser to the page, without the token: the arguments of a process are for all to read. The browser asks for it.
func (p Page) open(ctx context.Context, a *term.Run) {
	c, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", p.TCP)
	if err != nil {
		a.Status("nothing was opened, for nothing listens there yet: %s", fault.Command("serve --tcp "+p.TCP))
		return
	}
	_ = c.Close()
	if err := a.Browse("http://" + p.TCP + "/enter"); err != nil {
		a.Status("nothing was opened: %v; the link leads there as well", err)
		return
	}
	a.Status("your browser asks for a name and a password: ken, and what stands between ken: and @ in the link")
}
