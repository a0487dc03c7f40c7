package serve

import (
	"cmp"
	"context"
	"errors"
	"net"
	"path/filepath"
	"strings"
	"time"

	"ken/internal/cli/term"
	"ken/internal/config"
	"ken/internal/fault"
	"ken/internal/httpapi"
	"ken/internal/view"
	"ken/internal/web"
)

// endWait is how long conversations of the page may take to be closed.
const endWait = 10 * time.Second

// An HTTP is how the memory is served to programs over HTTP.
type HTTP struct {
	TCP string // the address, as 127.0.0.1:8765; "": a unix socket
	// Page shows the link to the page as well, as Page.Run does; without an address it is at the usual one. Open sends the
	// browser there.
	Page, Open bool

	flag    string     // that TCP was given by; "": --tcp
	Doctor  web.Doctor // who looks at the set-up, for the page; nil: nobody does
	alone   bool       // assistants alone are served
	noBlock bool       // they are greeted without the start-up block
}

// Run serves programs until ctx is done, which a signal sees to.
func (s HTTP) Run(ctx context.Context, a *term.Run) (err error) {
	if a.Flags.NoMemory {
		return fault.Usagef("it serves the memory, and cannot be without one")
	}
	s.Page = s.Page || s.Open
	if s.Page {
		s.TCP = cmp.Or(s.TCP, UsualTCP)
		if err := mayLink(a); err != nil {
			return err
		}
	}
	memory := a.Home.App()
	if err := memory.Check(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, memory.Close()) }()
	clients, err := clientsOf(a)
	if err != nil {
		return err
	}
	list, err := clients.List()
	if err != nil {
		return err
	}
	var l net.Listener
	var hosts []string
	where := ""
	if s.TCP != "" {
		if l, hosts, err = httpapi.ListenTCP(ctx, cmp.Or(s.flag, "--tcp"), s.TCP); err == nil {
			where = "http://" + hosts[0]
			if s.alone {
				where += "/mcp"
			}
		}
	} else {
		if where, err = socketOf(a); err == nil {
			l, hosts, err = httpapi.ListenSocket(ctx, where)
		}
	}
	if err != nil {
		return err
	}
	if a.Env.Serves != nil {
		a.Env.Serves()
	}
	a.Status("serving at %s", where)
	if s.Page {
		if err := (Page{TCP: hosts[0], Open: s.Open, here: true}).show(ctx, a, clients); err != nil {
			return errors.Join(err, l.Close())
		}
	} else if len(list) == 0 {
		a.Status("nobody has a token: %s", fault.Command("serve token add NAME"))
	}
	o := httpapi.Options{
		App: memory, Clients: clients, Version: term.Version, Now: a.Env.Now, Warn: a.Warn, Assistants: s.alone, NoBlock: s.noBlock,
	}
	if s.TCP != "" && !s.alone {
		if o.Page, err = s.page(a, memory, clients); err != nil {
			return errors.Join(err, l.Close())
		}
		defer noteServed(a, hosts[0])()
		end := func() { // what is being answered ends with the server, and who watches it is told
			ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), endWait)
			defer cancel()
			o.Page.End(ending)
		}
		defer context.AfterFunc(ctx, end)()
		defer end()
	}
	server := httpapi.New(o, hosts...)
	if err := server.Serve(ctx, l); err != nil && !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}

// socketOf is the path of the socket. The error is that it would stand among the files of a memory that is only read.
func socketOf(a *term.Run) (string, error) {
	p := a.Home.Settings.Paths()
	for _, dir := range []string{p.Data, p.State} {
		if a.Home.Settings.ReadOnly() && strings.HasPrefix(p.Runtime, dir+string(filepath.Separator)) {
			return "", fault.Refusedf("the memory is only read, and the socket would stand among its files").
				WithHint("serve it at an address of this machine: %s", fault.Command("serve --tcp 127.0.0.1:8765"))
		}
	}
	return filepath.Join(p.Runtime, "serve.sock"), nil
}

// clientsOf are those that have tokens.
func clientsOf(a *term.Run) (httpapi.Clients, error) {
	if _, err := a.Home.Settings.Read(); err != nil {
		return httpapi.Clients{}, err
	}
	p := a.Home.Settings.Paths()
	c := httpapi.Clients{Path: config.ClientsIn(p), Lock: p.State, Now: a.Env.Now, Asked: config.AskedIn(p)}
	if a.Home.Settings.ReadOnly() {
		c.Asked = ""
	}
	return c, nil
}

// AddToken makes a client's token, and shows it this once.
func AddToken(ctx context.Context, a *term.Run, name string, readOnly bool) error {
	clients, err := clientsOf(a)
	if err != nil {
		return err
	}
	token, err := clients.Add(ctx, name, readOnly)
	if err != nil {
		return err
	}
	a.Status("the token of %s, which is not shown again:", name)
	return a.Println(token)
}

// ListTokens lists who has a token; no token can be shown.
func ListTokens(a *term.Run) error {
	clients, err := clientsOf(a)
	if err != nil {
		return err
	}
	list, err := clients.List()
	if err != nil {
		return err
	}
	if len(list) == 0 {
		a.Status("nobody has a token: %s", fault.Command("serve token add NAME"))
		return nil
	}
	rows := make([][]string, len(list))
	for i, c := range list {
		rows[i] = []string{c.Name, c.Added.Format(time.DateOnly), may(c)}
	}
	return a.Println(strings.TrimRight(view.Table([]string{"name", "since", "may"}, rows, 0), "\n"))
}

// may is what a client may do, in words.
func may(c httpapi.Client) string {
	switch {
	case c.Page:
		return "see and change, as you"
	case c.ReadOnly:
		return "read"
	}
	return "suggest"
}

// RevokeToken takes a client's token away.
func RevokeToken(ctx context.Context, a *term.Run, name string) error {
	clients, err := clientsOf(a)
	if err != nil {
		return err
	}
	if err := clients.Revoke(ctx, name); err != nil {
		return err
	}
	a.Status("%s has no token any more", name)
	return nil
}

// ClientSigns are the programs that may ask over HTTP, and when each last did.
func ClientSigns(a *term.Run) (signs []view.Sign) {
	paths, err := a.Home.Settings.Places()
	if err != nil {
		return nil // it is said of the settings
	}
	all := httpapi.Clients{Path: config.ClientsIn(paths), Asked: config.AskedIn(paths), Now: a.Env.Now}
	list, err := all.List()
	if err != nil {
		return []view.Sign{{Level: view.SignGap, What: "http", Says: err.Error()}}
	}
	for _, c := range list {
		says := c.Name + " has a token, and has not asked yet"
		if at := all.LastAsked(c.Name); !at.IsZero() {
			says = c.Name + " last asked " + view.When(at)
		}
		signs = append(signs, view.Sign{Level: view.SignOK, What: "http", Says: says})
	}
	return signs
}
