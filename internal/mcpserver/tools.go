package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ken/internal/app"
)

// A tool is one of the server's.
type tool struct {
	name, title, description string
	params                   []param
	reads                    bool // it changes nothing, and suggests nothing
	always                   bool // its client is asked to have it before the model from the beginning
	do                       func(ctx context.Context, f *face, x call) (answer, error)
}

// A param is an argument.
type param struct {
	name, description string
	typ               string // "string", "integer", "array" (of strings), "boolean"
	enum              []string
	required          bool
}

// A call is one call of a tool.
type call struct {
	args   args
	view   *app.View // of the client, where it works
	thread string    // what the client calls its own conversation
}

// An answer is what came of a call: a text, and for whoever asked for JSON the value that it says.
type answer struct {
	text  string
	value any
	gave  app.Gift // the memories that are in value
	shown int      // as many of them are in text, from the first on
}

// note notes what a client was given, of which most are as many as got there.
func (x call) note(ctx context.Context, g app.Gift, most int) {
	g.Refs = g.Refs[:most]
	g.Thread = x.thread
	x.view.Gave(ctx, g)
}

// threadOf is what a client calls its own conversation, where the request says so.
func threadOf(meta map[string]any) string {
	for _, key := range []string{"threadId", "sessionId"} {
		if s, ok := meta[key].(string); ok {
			return s
		}
	}
	return ""
}

// args are the arguments of a call. What the schema does not know is passed over: small models invent fields.
type args map[string]json.RawMessage

// text is a text argument; "" if it is not there.
func (a args) text(name string) (string, error) {
	raw, ok := a[name]
	if !ok || string(raw) == "null" {
		return "", nil
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return "", &argumentError{name, "a text"}
	}
	return s, nil
}

// number is a whole number, which may stand in quotes; 0 if it is not there.
func (a args) number(name string) (int, error) {
	raw, ok := a[name]
	if !ok || string(raw) == "null" {
		return 0, nil
	}
	n, err := strconv.Atoi(strings.Trim(string(raw), `"`))
	if err != nil {
		return 0, &argumentError{name, "a whole number"}
	}
	return n, nil
}

// list is a list of texts, or one text; nil if it is not there.
func (a args) list(name string) ([]string, error) {
	raw, ok := a[name]
	if !ok || string(raw) == "null" {
		return nil, nil
	}
	var list []string
	if json.Unmarshal(raw, &list) == nil {
		return list, nil
	}
	one, err := a.text(name)
	if err != nil {
		return nil, &argumentError{name, "a list of texts"}
	}
	return []string{one}, nil
}

// on is a yes or no, which may stand in quotes; otherwise what it is if it is not there.
func (a args) on(name string, otherwise bool) (bool, error) {
	raw, ok := a[name]
	if !ok || string(raw) == "null" {
		return otherwise, nil
	}
	on, err := strconv.ParseBool(strings.Trim(string(raw), `"`))
	if err != nil {
		return false, &argumentError{name, "true or false"}
	}
	return on, nil
}

// An argumentError says that an argument is not what the tool takes.
type argumentError struct{ name, want string }

func (e *argumentError) Error() string { return fmt.Sprintf("argument %s: want %s", e.name, e.want) }

// define is the tool as clients get it. Without hints one client hides it, others refuse it in scripts.
func (t tool) define() *mcp.Tool {
	properties := make(map[string]any, len(t.params)+1)
	required := []string{}
	for _, p := range append(t.params, format()) {
		prop := map[string]any{"type": p.typ, "description": p.description}
		if p.typ == "array" {
			prop["items"] = map[string]any{"type": "string"}
		}
		if p.enum != nil {
			prop["enum"] = p.enum
		}
		properties[p.name] = prop
		if p.required {
			required = append(required, p.name)
		}
	}
	no := false
	d := &mcp.Tool{
		Name: t.name, Title: t.title, Description: t.description,
		InputSchema: map[string]any{"type": "object", "properties": properties, "required": required},
		Annotations: &mcp.ToolAnnotations{Title: t.title, ReadOnlyHint: t.reads, DestructiveHint: &no, IdempotentHint: true, OpenWorldHint: &no},
	}
	if t.always {
		d.Meta = mcp.Meta{"anthropic/alwaysLoad": true}
	}
	return d
}

// format is an argument of every tool.
func format() param {
	return param{name: "format", typ: "string", enum: []string{"text", "json"}, description: "text if left out"}
}

// answer returns what answers the calls of a tool. Whatever goes wrong is a result: the connection goes on.
func (f *face) answer(t tool) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (r *mcp.CallToolResult, _ error) {
		defer func() {
			if p := recover(); p != nil {
				r = failed(fmt.Errorf("%s failed: a fault of ken: %v", t.name, p))
			}
		}()
		x := call{args: args{}, thread: threadOf(req.Params.GetMeta())}
		if raw := req.Params.Arguments; len(raw) > 0 && json.Unmarshal(raw, &x.args) != nil {
			return failed(fmt.Errorf("%s: the arguments are no JSON object", t.name)), nil
		}
		for _, p := range t.params {
			if raw, ok := x.args[p.name]; p.required && (!ok || string(raw) == "null") {
				return failed(fmt.Errorf("%s needs %s: %s", t.name, p.name, p.description)), nil
			}
		}
		var err error
		if x.view, err = f.view(req.ClientInfo(), f.place(ctx, req.Session, req.ProtocolVersion()), true); err != nil {
			return failed(err), nil
		}
		if !t.reads && f.o.Suggest != nil {
			if err := f.o.Suggest(); err != nil {
				return failed(err), nil
			}
		}
		got, err := t.do(ctx, f, x)
		if err != nil {
			return failed(err), nil
		}
		if how, _ := x.args.text("format"); how == "json" {
			data, err := json.Marshal(got.value)
			if err != nil {
				return failed(err), nil
			}
			if len(data) <= mostText {
				x.note(ctx, got.gave, len(got.gave.Refs))
				return said(string(data)), nil
			}
			const what = "%s: the answer has %d bytes of JSON, and at most %d are given: ask for less"
			return failed(fmt.Errorf(what, t.name, len(data), mostText)), nil
		}
		x.note(ctx, got.gave, got.shown)
		return said(cut(got.text)), nil
	}
}

// said is a result of a text.
func said(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

// failed is the result of a call that came to nothing, with the next step.
func failed(err error) *mcp.CallToolResult {
	text := err.Error()
	var hinted interface{ Hint() string }
	if errors.As(err, &hinted) && hinted.Hint() != "" {
		text += " (" + hinted.Hint() + ")"
	}
	r := said(cut(text))
	r.IsError = true
	return r
}
