package mcptest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type (
	request = mcp.CallToolRequest
	result  = mcp.CallToolResult
)

type echoArgs struct {
	Text string `json:"text" jsonschema:"what to say"`
}

type addArgs struct {
	A int `json:"a" jsonschema:"one number"`
	B int `json:"b"`
}

type sum struct {
	Sum int `json:"sum"`
}

type bigArgs struct {
	MB int `json:"mb" jsonschema:"how much"`
}

// Plain returns a server with tools of every kind: echo, add (structured), fail (an error
// of use), big, picture, steps (progress), ask (asks the person), nothing (no parameters) and
// wait (for ever); a resource and a prompt.
func Plain() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "plain", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "echo", Description: "Say a text again."},
		func(_ context.Context, _ *request, in echoArgs) (*result, any, error) {
			return texts(in.Text), nil, nil
		})
	mcp.AddTool(s, &mcp.Tool{Name: "add", Description: "Add two numbers.", Annotations: &mcp.ToolAnnotations{OpenWorldHint: new(false)}},
		func(_ context.Context, _ *request, in addArgs) (*result, sum, error) {
			return &result{Content: []mcp.Content{}}, sum{in.A + in.B}, nil
		})
	mcp.AddTool(s, &mcp.Tool{Name: "fail", Description: "Fail."},
		func(context.Context, *request, any) (*result, any, error) {
			return nil, nil, errors.New("no such thing")
		})
	mcp.AddTool(s, &mcp.Tool{Name: "big", Description: "Give a long text."},
		func(_ context.Context, _ *request, in bigArgs) (*result, any, error) {
			return texts("BEGIN " + strings.Repeat("0123456789abcdef", in.MB<<16) + " END"), nil, nil
		})
	mcp.AddTool(s, &mcp.Tool{Name: "picture", Description: "Give a picture."},
		func(context.Context, *request, any) (*result, any, error) {
			return &result{Content: []mcp.Content{
				&mcp.TextContent{Text: "here it is"},
				&mcp.ImageContent{MIMEType: "image/png", Data: make([]byte, 4<<10)},
				&mcp.ResourceLink{URI: "mem://note", Name: "a note"},
			}}, nil, nil
		})
	mcp.AddTool(s, &mcp.Tool{Name: "steps", Description: "Work in steps."},
		func(ctx context.Context, r *request, _ any) (*result, any, error) {
			for i := 1; i <= 3; i++ {
				if err := r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
					ProgressToken: r.Params.GetProgressToken(), Progress: float64(i), Total: 3, Message: fmt.Sprintf("step %d", i),
				}); err != nil {
					return nil, nil, err
				}
			}
			<-time.After(100 * time.Millisecond) // an answer may overtake what was said before it
			return texts("done"), nil, nil
		})
	mcp.AddTool(s, &mcp.Tool{Name: "ask", Description: "Ask the person."},
		func(ctx context.Context, r *request, _ any) (*result, any, error) {
			answer, err := r.Session.Elicit(ctx, &mcp.ElicitParams{Message: "Which colour?", RequestedSchema: map[string]any{
				"type": "object", "required": []string{"colour"},
				"properties": map[string]any{"colour": map[string]any{"type": "string", "description": "a colour"}},
			}})
			if err != nil {
				return nil, nil, err
			}
			return texts(fmt.Sprintf("%s %v", answer.Action, answer.Content["colour"])), nil, nil
		})
	mcp.AddTool(s, &mcp.Tool{Name: "nothing", Description: "Take nothing."},
		func(_ context.Context, r *request, _ any) (*result, any, error) {
			return texts("got " + string(r.Params.Arguments)), nil, nil
		})
	mcp.AddTool(s, &mcp.Tool{Name: "wait", Description: "Wait for ever."},
		func(ctx context.Context, _ *request, _ any) (*result, any, error) {
			<-ctx.Done()
			return nil, nil, ctx.Err()
		})
	s.AddResource(&mcp.Resource{URI: "mem://note", Name: "note", Description: "a note", MIMEType: "text/plain"},
		func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: "mem://note", Text: "buy bread"}}}, nil
		})
	who := []*mcp.PromptArgument{{Name: "who", Required: true}}
	s.AddPrompt(&mcp.Prompt{Name: "greet", Description: "Greet somebody.", Arguments: who},
		func(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			text := &mcp.TextContent{Text: "Say hello to " + r.Params.Arguments["who"] + "."}
			return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: text}}}, nil
		})
	return s
}

func texts(s string) *result {
	return &result{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
}
