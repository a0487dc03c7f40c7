package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ken/internal/termsafe"
	"ken/internal/tool/mcp/oauth"
	"ken/internal/tool/mcp/schema"
)

const (
	mostName = 2048     // of a uri or of the name of a prompt, in bytes
	mostAsks = 50       // arguments of a prompt
	mostSaid = 64 << 10 // of what a prompt says, in bytes: the person reads it before it is sent
)

// Wares are what servers have for people: resources and prompts.
type Wares struct{ s *Servers }

// Wares are what the servers have for people.
func (s *Servers) Wares() Wares { return Wares{s} }

// A Resource is a text or a file that a server has for people to put into a question.
type Resource struct {
	URI   string // without control characters; parts in braces are the person's to fill in
	About string // in one clean line
}

// Open reports whether a part of the URI is to be filled in.
func (r Resource) Open() bool { return strings.ContainsAny(r.URI, "{}") }

// A Prompt is a question that a server has ready.
type Prompt struct {
	Name  string // without control characters
	About string // in one clean line
	Args  []Arg
}

// An Arg is what a prompt wants to know.
type Arg struct {
	Name     string // as the server has it; not clean
	Label    string // in one clean line
	Required bool
}

// A reading is something that a server is asked for a person's question.
type reading struct {
	v       *server
	session *mcp.ClientSession
	p       *process
	ctx     context.Context // ends with the time that the server has to answer
	person  context.Context // ends when the person stops it
}

// reads connects to a server if need be, and gives it the time that it has to answer.
func (s *Servers) reads(ctx context.Context, server string) (r reading, done func(), err error) {
	v := s.find(server)
	if v == nil {
		return r, nil, fmt.Errorf("no tool server %q", schema.Line(server, 80))
	}
	if err := v.ready(ctx); err != nil {
		return r, nil, fmt.Errorf("%s is not connected: %w", server, err)
	}
	v.mu.Lock()
	r = reading{v: v, session: v.session, p: v.process, person: ctx}
	v.mu.Unlock()
	if r.session == nil {
		return r, nil, fmt.Errorf("%s is not connected: %w", server, errGone)
	}
	r.ctx, done = v.limited(ctx)
	return r, done, nil
}

// has reports whether the server says that it has such things.
func (r reading) has(of func(*mcp.ServerCapabilities) bool) bool {
	hello := r.session.InitializeResult()
	return hello != nil && hello.Capabilities != nil && of(hello.Capabilities)
}

// failed is an error in words for the person: a line that is clean.
func (r reading) failed(what string, err error) error {
	var told *wireError
	var refused *oauth.Error
	switch {
	case r.person.Err() != nil:
		return context.Cause(r.person)
	case errors.As(err, &refused):
		err = refused
	case r.ctx.Err() != nil:
		err = timely(r.ctx, err)
	case errors.As(err, &told):
		err = told
	case r.p != nil:
		if why := r.p.why(); why != nil {
			err = why
		}
	}
	return errors.New(r.v.name + ": " + what + clean(err.Error()))
}

// each calls take with what pages of a list hold, 500 at most. next gets one page, and says which is the next.
func each[T any](next func(cursor string) (list []T, after string, err error), take func(T)) error {
	cursor, n := "", 0
	for range mostPages {
		list, after, err := next(cursor)
		if err != nil {
			return err
		}
		for _, e := range list[:min(len(list), mostTools-n)] {
			take(e)
			n++
		}
		if after == "" || n >= mostTools {
			break
		}
		cursor = after
	}
	return nil
}

// plainName says why a person cannot name something that is called so; "" if they can.
func plainName(name string) string {
	switch {
	case name == "":
		return "it has no name"
	case len(name) > mostName:
		return "its name is too long"
	case termsafe.Line(name) != name:
		return "its name has control characters"
	}
	return ""
}

// Resources lists what a server has to read, 500 at most, and then what it has with parts to fill in. not says why
// others cannot be named.
func (w Wares) Resources(ctx context.Context, server string) (list []Resource, not []string, err error) {
	r, done, err := w.s.reads(ctx, server)
	if err != nil {
		return nil, nil, err
	}
	defer done()
	if !r.has(func(c *mcp.ServerCapabilities) bool { return c.Resources != nil }) {
		return nil, nil, nil
	}
	take := func(uri, name, about string) {
		if why := plainName(uri); why != "" {
			not = append(not, seen(firstOf(uri, name), 120)+": "+why)
			return
		}
		if name != "" && about != "" {
			about = ": " + about
		}
		list = append(list, Resource{URI: uri, About: schema.Line(name+about, 160)})
	}
	err = each(func(cursor string) ([]*mcp.Resource, string, error) {
		page, err := r.session.ListResources(r.ctx, &mcp.ListResourcesParams{Cursor: cursor})
		if err != nil {
			return nil, "", err
		}
		return page.Resources, page.NextCursor, nil
	}, func(e *mcp.Resource) { take(e.URI, firstOf(e.Title, e.Name), firstOf(e.Description, e.MIMEType)) })
	if err != nil {
		return list, not, r.failed("its resources could not be listed: ", err)
	}
	err = each(func(cursor string) ([]*mcp.ResourceTemplate, string, error) {
		page, err := r.session.ListResourceTemplates(r.ctx, &mcp.ListResourceTemplatesParams{Cursor: cursor})
		if err != nil {
			return nil, "", err
		}
		return page.ResourceTemplates, page.NextCursor, nil
	}, func(e *mcp.ResourceTemplate) {
		take(e.URITemplate, firstOf(e.Title, e.Name), firstOf(e.Description, e.MIMEType))
	})
	if told := (*wireError)(nil); errors.As(err, &told) { // many have none, and do not know the word
		err = nil
	}
	if err != nil {
		err = r.failed("its resources could not be listed: ", err)
	}
	return list, not, err
}

// Resource reads one, whole: what is no text stands in it as a line that says what it is. It is the server's
// text, neither clean nor masked.
func (w Wares) Resource(ctx context.Context, server, uri string) (string, error) {
	if why := plainName(uri); why != "" {
		return "", fmt.Errorf("%s: %s is no resource: %s", server, seen(uri, 120), why)
	}
	if strings.ContainsAny(uri, "{}") {
		return "", fmt.Errorf("%s: %s has parts in braces: write what is meant in their place", server, uri)
	}
	r, done, err := w.s.reads(ctx, server)
	if err != nil {
		return "", err
	}
	defer done()
	got, err := r.session.ReadResource(r.ctx, &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		return "", r.failed(uri+" could not be read: ", err)
	}
	var parts []string
	for _, c := range got.Contents {
		parts = append(parts, strings.ToValidUTF8(resourceText(c), "\ufffd"))
	}
	return strings.Join(parts, "\n"), nil
}

// Prompts lists the questions that a server has ready, 500 at most. not says why others cannot be named.
func (w Wares) Prompts(ctx context.Context, server string) (list []Prompt, not []string, err error) {
	r, done, err := w.s.reads(ctx, server)
	if err != nil {
		return nil, nil, err
	}
	defer done()
	if !r.has(func(c *mcp.ServerCapabilities) bool { return c.Prompts != nil }) {
		return nil, nil, nil
	}
	err = each(func(cursor string) ([]*mcp.Prompt, string, error) {
		page, err := r.session.ListPrompts(r.ctx, &mcp.ListPromptsParams{Cursor: cursor})
		if err != nil {
			return nil, "", err
		}
		return page.Prompts, page.NextCursor, nil
	}, func(e *mcp.Prompt) {
		why := plainName(e.Name)
		long := func(a *mcp.PromptArgument) bool { return len(a.Name) > mostName }
		if why == "" && (len(e.Arguments) > mostAsks || slices.ContainsFunc(e.Arguments, long)) {
			why = "it wants to know too much"
		}
		if why != "" {
			not = append(not, seen(e.Name, 120)+": "+why)
			return
		}
		q := Prompt{Name: e.Name, About: schema.Line(firstOf(e.Description, e.Title), 160)}
		for _, a := range e.Arguments {
			about := schema.Line(a.Name, 80)
			if said := schema.Line(firstOf(a.Description, a.Title), 160); said != "" {
				about += " (" + said + ")"
			}
			q.Args = append(q.Args, Arg{Name: a.Name, Label: about, Required: a.Required})
		}
		list = append(list, q)
	})
	if err != nil {
		err = r.failed("its prompts could not be listed: ", err)
	}
	return list, not, err
}

// Prompt returns one as text: what its messages say, in their order. It is the server's text, not the
// person's, and neither clean nor masked. One that nobody could read before it is sent is an error.
func (w Wares) Prompt(ctx context.Context, server, name string, args map[string]string) (string, error) {
	r, done, err := w.s.reads(ctx, server)
	if err != nil {
		return "", err
	}
	defer done()
	got, err := r.session.GetPrompt(r.ctx, &mcp.GetPromptParams{Name: name, Arguments: args})
	if err != nil {
		return "", r.failed(schema.Line(name, 80)+": ", err)
	}
	var parts []string
	for _, m := range got.Messages {
		parts = append(parts, lineOf(m.Content))
	}
	text := strings.ToValidUTF8(strings.Join(parts, "\n\n"), "\ufffd")
	if len(text) > mostSaid {
		return "", fmt.Errorf("%s.%s says %s: more than %s is no question", server, schema.Line(name, 80), bytesOf(len(text)), bytesOf(mostSaid))
	}
	return text, nil
}

// Names are those of all servers, in order.
func (s *Servers) Names() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.names()
}

// A stock is what a server had for people when it was asked last.
type stock struct {
	done      chan struct{} // closed when it was asked
	of        *mcp.ClientSession
	resources []Resource
	prompts   []Prompt
}

// Known returns what a server has, for who completes what they type: what it said when it was asked
// last, or says before ctx ends. It is asked in the background, once for each connection and when it said that it
// has others, and connected to if need be.
func (w Wares) Known(ctx context.Context, server string) ([]Resource, []Prompt) {
	v := w.s.find(server)
	if v == nil {
		return nil, nil
	}
	h := v.stocked()
	if h == nil {
		return nil, nil
	}
	select {
	case <-h.done:
		return slices.Clone(h.resources), slices.Clone(h.prompts)
	case <-ctx.Done():
		return nil, nil
	}
}

// stocked is the stock as it is, or will be in a while; nil: ken is ending.
func (v *server) stocked() *stock {
	v.mu.Lock()
	defer v.mu.Unlock()
	if h := v.stock; h != nil {
		select {
		case <-h.done:
			if h.of != nil && h.of == v.session {
				return h
			}
		default:
			return h // it is being asked
		}
	}
	v.of.mu.Lock()
	defer v.of.mu.Unlock()
	if v.of.closed {
		return nil
	}
	h := &stock{done: make(chan struct{})}
	v.stock = h
	v.of.wait.Go(func() {
		defer close(h.done)
		ctx := context.Background()
		r, done, err := v.of.reads(ctx, v.name)
		if err != nil {
			return
		}
		done()
		var rerr, perr error
		h.resources, _, rerr = v.of.Wares().Resources(ctx, v.name)
		h.prompts, _, perr = v.of.Wares().Prompts(ctx, v.name)
		if rerr == nil && perr == nil {
			h.of = r.session
		}
	})
	return h
}

// outdate forgets what it had for people: it said that it has others.
func (v *server) outdate() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.stock = nil
}
