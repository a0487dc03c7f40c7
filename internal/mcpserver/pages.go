package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ken/internal/app"
	"ken/internal/fault"
)

// The addresses of what can be read.
const (
	blockURI  = "ken://block"
	memoryURI = "ken://memory/" // and a reference
	pageURI   = "ken://page/"   // and a number, from 1
)

// markdown is the type of every text.
const markdown = "text/markdown"

// perPage is how many memories stand on a page, and mostPages how many pages there may be.
const (
	perPage   = 50
	mostPages = 1 << 20
)

// addPages adds what can be read: the start-up block, each memory, and the list of those that hold here, in pages.
func (f *face) addPages(s *mcp.Server) {
	s.AddResource(&mcp.Resource{
		URI: blockURI, Name: "block", Title: "What ken knows here", MIMEType: markdown,
		Description: "what the person's memory has in front of every conversation in this directory",
	}, f.read(func(ctx context.Context, x call, _ string) (answer, error) {
		b, err := x.view.Block(ctx, mostText-100)
		return answer{text: b.Text, gave: app.Gift{Refs: b.Refs, By: "block", Standing: true}}, err
	}))
	page := f.read(func(ctx context.Context, x call, uri string) (answer, error) {
		n, err := strconv.Atoi(strings.TrimPrefix(uri, pageURI))
		if err != nil || n < 1 || n > mostPages {
			return answer{}, mcp.ResourceNotFoundError(uri)
		}
		list, err := x.view.List(ctx, (n-1)*perPage, perPage)
		if err != nil || len(list) == 0 && n > 1 {
			return answer{}, orMissing(err, uri)
		}
		g := app.Gift{By: "page"}
		for _, it := range list {
			g.Refs = append(g.Refs, it.Ref)
		}
		return answer{text: pageText(list), gave: g}, nil
	})
	s.AddResource(&mcp.Resource{
		URI: pageURI + "1", Name: "page", Title: "Memories that hold here", MIMEType: markdown,
		Description: fmt.Sprintf("the newest %d memories that hold in this directory; the next are %s2", perPage, pageURI),
	}, page)
	s.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: pageURI + "{n}", Name: "pages", Title: "Memories that hold here, in pages", MIMEType: markdown,
	}, page)
	s.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: memoryURI + "{ref}", Name: "memory", Title: "One memory", MIMEType: markdown,
	}, f.read(func(ctx context.Context, x call, uri string) (answer, error) {
		a, err := x.view.About(ctx, strings.TrimPrefix(uri, memoryURI))
		if err != nil {
			return answer{}, orMissing(err, uri)
		}
		return answer{text: aboutText(a), gave: app.Gift{Refs: []string{a.Ref}, By: "why"}}, nil
	}))
}

// orMissing is why something cannot be read: it is not there, unless that could not be found out.
func orMissing(err error, uri string) error {
	if unknown := (*app.UnknownError)(nil); err == nil || errors.As(err, &unknown) || fault.KindOf(err) == fault.Usage {
		return mcp.ResourceNotFoundError(uri)
	}
	return err
}

// read returns what answers requests for a text, all of whose memories get there.
func (f *face) read(text func(context.Context, call, string) (answer, error)) mcp.ResourceHandler {
	return func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		v, err := f.view(req.ClientInfo(), f.place(ctx, req.Session, req.ProtocolVersion()), true)
		if err != nil {
			return nil, err
		}
		x, uri := call{view: v, thread: threadOf(req.Params.GetMeta())}, req.Params.URI
		got, err := text(ctx, x, uri)
		if err != nil {
			return nil, err
		}
		x.note(ctx, got.gave, len(got.gave.Refs))
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: markdown, Text: cut(got.text)}}}, nil
	}
}

// addPrompts adds what a person may pick in their assistant.
func (f *face) addPrompts(s *mcp.Server) {
	s.AddPrompt(&mcp.Prompt{
		Name: "recall", Title: "What does my memory say?", Description: "put what your memory holds on something before the assistant",
		Arguments: []*mcp.PromptArgument{{Name: "query", Description: "what it is about", Required: true}},
	}, func(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		v, err := f.view(req.ClientInfo(), f.place(ctx, req.Session, req.ProtocolVersion()), true)
		if err != nil {
			return nil, err
		}
		x, query := call{view: v, thread: threadOf(req.Params.GetMeta())}, req.Params.Arguments["query"]
		hits, err := v.Recall(ctx, app.Question{Text: query})
		if err != nil {
			return nil, err
		}
		text, shown := hitsText(hits)
		x.note(ctx, found(hits), shown)
		return promptOf("What my memory holds on \"" + clip(query, mostQuery) + "\".\n\n" + text), nil
	})
	s.AddPrompt(&mcp.Prompt{
		Name: "remember", Title: "What is worth keeping?", Description: "have the assistant suggest memories from this conversation",
	}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return promptOf("Look back over this conversation. Call remember for each thing that will be of use in later ones: decisions with " +
			"their reasons, preferences that I stated, facts about my projects, what went wrong and how it was solved. One thing a call, in a " +
			"sentence that stands by itself. Leave out what any reader of the code sees, what holds for today alone, and secrets. If there " +
			"is nothing, say so."), nil
	})
}

// mostQuery is how much of a query is said again, in bytes: what was found stands behind it.
const mostQuery = 60

// promptOf is a prompt of one text.
func promptOf(text string) *mcp.GetPromptResult {
	return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: cut(text)}}}}
}
