package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ken/internal/tool/mcp/schema"
)

// A Resource is a text or a file that a server has for people to put into a question.
type Resource struct {
	URI   string
	About string // in one clean line
}

// A Prompt is a question that a server has ready.
type Prompt struct {
	Name  string
	About string   // in one clean line
	Args  []string // their names; those that may be left out end in ?
}

// connected is the connection to a server, made if need be.
func (s *Servers) connected(ctx context.Context, server string) (*mcp.ClientSession, error) {
	v := s.find(server)
	if v == nil {
		return nil, fmt.Errorf("no server %q", server)
	}
	if err := v.ready(ctx); err != nil {
		return nil, err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.session == nil {
		return nil, errGone
	}
	return v.session, nil
}

// Resources lists what a server has to read, 500 at most.
func (s *Servers) Resources(ctx context.Context, server string) ([]Resource, error) {
	session, err := s.connected(ctx, server)
	if err != nil {
		return nil, err
	}
	var out []Resource
	for r, err := range session.Resources(ctx, nil) {
		if err != nil {
			return out, err
		}
		out = append(out, Resource{URI: r.URI, About: schema.Line(firstOf(r.Title, r.Name)+": "+firstOf(r.Description, r.MIMEType), 160)})
		if len(out) == mostTools {
			break
		}
	}
	return out, nil
}

// Resource reads one.
func (s *Servers) Resource(ctx context.Context, server, uri string) (string, error) {
	session, err := s.connected(ctx, server)
	if err != nil {
		return "", err
	}
	r, err := session.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		return "", err
	}
	var parts []string
	for _, c := range r.Contents {
		parts = append(parts, resourceText(c))
	}
	return cut(strings.Join(parts, "\n")), nil
}

// Prompts lists the questions that a server has ready, 500 at most.
func (s *Servers) Prompts(ctx context.Context, server string) ([]Prompt, error) {
	session, err := s.connected(ctx, server)
	if err != nil {
		return nil, err
	}
	var out []Prompt
	for p, err := range session.Prompts(ctx, nil) {
		if err != nil {
			return out, err
		}
		q := Prompt{Name: p.Name, About: schema.Line(firstOf(p.Description, p.Title), 160)}
		for _, a := range p.Arguments {
			name := a.Name
			if !a.Required {
				name += "?"
			}
			q.Args = append(q.Args, name)
		}
		out = append(out, q)
		if len(out) == mostTools {
			break
		}
	}
	return out, nil
}

// Prompt returns one as text: what its messages say, in their order. It is the server's text, not the
// person's.
func (s *Servers) Prompt(ctx context.Context, server, name string, args map[string]string) (string, error) {
	session, err := s.connected(ctx, server)
	if err != nil {
		return "", err
	}
	r, err := session.GetPrompt(ctx, &mcp.GetPromptParams{Name: name, Arguments: args})
	if err != nil {
		return "", err
	}
	var parts []string
	for _, m := range r.Messages {
		parts = append(parts, lineOf(m.Content))
	}
	return cut(strings.Join(parts, "\n\n")), nil
}
