package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ken/internal/app"
	"ken/internal/view"
)

// maxLine is the longest request that is read, in bytes: a memory holds less.
const maxLine = 4 << 20

// instructions are for the assistant at the other end.
const instructions = `The memory of the person you work for, kept by ken. Call recall before you ask them
what they may have said already. What you remember is not in force before they say yes.`

// Serve answers one client over in and out until in ends or ctx is done. at is the
// directory that the client works in.
func Serve(ctx context.Context, a *app.App, at app.Place, version string, in io.ReadCloser, out io.WriteCloser) error {
	err := New(a, at, version).Run(ctx, &mcp.IOTransport{Reader: in, Writer: out, MaxLineLength: maxLine})
	if errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) {
		return nil // the client hung up, or the person ended it
	}
	return err
}

// New returns a server over a memory, for clients that work in the directory at.
func New(a *app.App, at app.Place, version string) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "ken", Version: version}, &mcp.ServerOptions{
		Instructions: instructions, Capabilities: &mcp.ServerCapabilities{},
	})
	f := face{app: a, at: at}
	closed := false
	mcp.AddTool(s, &mcp.Tool{
		Name:        "recall",
		Description: "What the person's memory holds on a question: facts, preferences, decisions, conventions. Finding nothing is an answer.",
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: &closed},
	}, f.recall)
	mcp.AddTool(s, &mcp.Tool{
		Name:        "remember",
		Description: "Suggest a memory. It waits for the person, who accepts, changes or refuses it.",
		Annotations: &mcp.ToolAnnotations{DestructiveHint: &closed, IdempotentHint: true, OpenWorldHint: &closed},
	}, f.remember)
	return s
}

// A face is the memory as clients in one directory ask it.
type face struct {
	app *app.App
	at  app.Place
}

// mostName is how much of a client's name is kept, in bytes.
const mostName = 40

// caller is the memory in the hands of the client of a request.
func (f face) caller(req *mcp.CallToolRequest) *app.Caller {
	name := ""
	if p := req.Session.InitializeParams(); p != nil && p.ClientInfo != nil {
		name = strings.Map(func(r rune) rune {
			switch {
			case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '.', r == '_':
				return r
			case r >= 'A' && r <= 'Z':
				return r - 'A' + 'a'
			case r == ' ', r == '/':
				return '-'
			}
			return -1
		}, p.ClientInfo.Name)
	}
	return f.app.As(app.Actor{Kind: app.Agent, Name: name[:min(len(name), mostName)], Face: "mcp"})
}

// A recallArgs is what recall takes.
type recallArgs struct {
	Query string   `json:"query" jsonschema:"what it is about, in a few words or a question"`
	Limit int      `json:"limit,omitempty" jsonschema:"the most hits; 10 if left out"`
	Scope string   `json:"scope,omitempty" jsonschema:"only what is of it: user, here, repo, dir or a full scope; what holds in the directory if left out"`
	Kinds []string `json:"kinds,omitempty" jsonschema:"only these kinds: fact, pref, decision, gotcha, ..."`
}

// A recalled is what recall answers.
type recalled struct {
	Hits []view.Hit `json:"hits"`
}

func (f face) recall(ctx context.Context, req *mcp.CallToolRequest, in recallArgs) (*mcp.CallToolResult, any, error) {
	snap, err := f.caller(req).At(ctx, f.at)
	if err != nil {
		return nil, nil, told(err)
	}
	hits, err := snap.Recall(ctx, app.Question{Text: in.Query, Limit: in.Limit, Scope: in.Scope, Kinds: in.Kinds})
	if err != nil {
		return nil, nil, told(err)
	}
	return nil, recalled{hits}, nil
}

// A rememberArgs is what remember takes.
type rememberArgs struct {
	Text  string   `json:"text" jsonschema:"one thing in one or two sentences that stand by themselves"`
	Kind  string   `json:"kind,omitempty" jsonschema:"fact (if left out), pref, decision, workflow, gotcha, convention, goal, lesson"`
	Scope string   `json:"scope,omitempty" jsonschema:"user (everywhere, if left out), here, repo or dir"`
	Tags  []string `json:"tags,omitempty"`
	Why   string   `json:"why,omitempty" jsonschema:"for the person who decides: why it is worth keeping, in a line"`
}

func (f face) remember(ctx context.Context, req *mcp.CallToolRequest, in rememberArgs) (*mcp.CallToolResult, any, error) {
	done, err := f.caller(req).Remember(ctx, f.at, app.Statement{
		Text: in.Text, Kind: in.Kind, Scope: in.Scope, Tags: in.Tags, Why: in.Why,
	})
	if err != nil {
		return nil, nil, told(err)
	}
	return nil, done, nil
}

// told is an error with its next step, for a client.
func told(err error) error {
	var hinted interface{ Hint() string }
	if errors.As(err, &hinted) && hinted.Hint() != "" {
		return fmt.Errorf("%w (%s)", err, hinted.Hint())
	}
	return err
}
