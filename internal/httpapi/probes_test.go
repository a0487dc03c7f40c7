package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// What the conformance suite of the protocol asks every server for, and a memory has no use of: images, questions to the
// client, reports of progress. It is added to the server of assistants in tests alone; names and texts are the suite's.

// A probe answers a call of one of the suite's tools.
type probe func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error)

// addProbes adds to a server whatever the suite asks it for.
func addProbes(s *mcp.Server) {
	for _, set := range []map[string]probe{contents(), notices(), questions(), rounds()} {
		for name, do := range set {
			tool := &mcp.Tool{Name: name, Description: "of the conformance suite", InputSchema: map[string]any{"type": "object"}}
			s.AddTool(tool, mcp.ToolHandler(do))
		}
	}
	s.AddTool(&mcp.Tool{
		Name: "json_schema_2020_12_tool", Description: "of the conformance suite", InputSchema: json.RawMessage(`{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
		"$defs": {"address": {"$anchor": "addressDef", "type": "object",
			"properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
		"properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"},
			"contactMethod": {"type": "string", "enum": ["phone", "email"]}, "phone": {"type": "string"}, "email": {"type": "string"}},
		"allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
		"if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
		"then": {"required": ["phone"]}, "else": {"required": ["email"]}, "additionalProperties": false}`),
	}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return says("called"), nil })
	s.AddTool(&mcp.Tool{
		Name: "test_x_mcp_header", Description: "of the conformance suite", InputSchema: json.RawMessage(`{"type": "object",
		"properties": {"region": {"type": "string", "x-mcp-header": "Region"}, "level": {"type": "integer"}}}`),
	}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return says("called"), nil })
	addReadable(s)
	addPrompts(s)
	s.AddReceivingMiddleware(completes)
}

// completes answers what the server of assistants has no handler for.
func completes(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		v, stateless := req.(interface{ ProtocolVersion() string })
		stateless = stateless && v.ProtocolVersion() >= "2026-07-28"
		switch method {
		case "completion/complete":
			return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}, nil
		case "resources/subscribe", "resources/unsubscribe":
			if !stateless {
				return &emptyResult{}, nil
			}
		}
		return next(ctx, method, req)
	}
}

// emptyResult is a result of nothing.
type emptyResult struct{ mcp.CallToolResult }

// MarshalJSON implements json.Marshaler.
func (*emptyResult) MarshalJSON() ([]byte, error) { return []byte("{}"), nil }

func says(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

// picture is a PNG of one pixel.
func picture() []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// sound is a WAV of one silent sample.
func sound() []byte {
	return []byte("RIFF\x26\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x80\x3e\x00\x00\x02\x00\x10\x00" +
		"data\x02\x00\x00\x00\x00\x00")
}

func embedded(uri string) *mcp.EmbeddedResource {
	return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{
		URI: uri, MIMEType: "text/plain", Text: "Embedded resource content for testing.",
	}}
}

// contents are the tools that answer with each kind of content.
func contents() map[string]probe {
	of := func(c ...mcp.Content) probe {
		return func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: c}, nil
		}
	}
	text := &mcp.TextContent{Text: "This is a simple text response for testing."}
	shot := &mcp.ImageContent{Data: picture(), MIMEType: "image/png"}
	return map[string]probe{
		"test_simple_text":            of(text),
		"test_image_content":          of(shot),
		"test_audio_content":          of(&mcp.AudioContent{Data: sound(), MIMEType: "audio/wav"}),
		"test_embedded_resource":      of(embedded("test://embedded-resource")),
		"test_multiple_content_types": of(text, shot, embedded("test://embedded-in-multiple")),
		"test_error_handling": func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			r := &mcp.CallToolResult{}
			r.SetError(errors.New("this tool intentionally returns an error for testing"))
			return r, nil
		},
		"test_streaming_elicitation": of(text),
	}
}

// notices are the tools that tell the client something while they are at it.
func notices() map[string]probe {
	log := func(ctx context.Context, req *mcp.CallToolRequest, lines ...string) (*mcp.CallToolResult, error) {
		for _, line := range lines {
			err := req.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: line}) //nolint:staticcheck // the suite tries it
			if err != nil {
				return nil, err
			}
		}
		return says("logged"), nil
	}
	return map[string]probe{
		"test_tool_with_logging": func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return log(ctx, req, "Tool execution started", "Tool processing data", "Tool execution completed")
		},
		"test_logging_tool": func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return log(ctx, req, "test_logging_tool executed")
		},
		"test_tool_with_progress": func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			token := req.Params.GetProgressToken()
			for _, done := range []float64{0, 50, 100} {
				p := &mcp.ProgressNotificationParams{ProgressToken: token, Progress: done, Total: 100}
				if err := req.Session.NotifyProgress(ctx, p); err != nil {
					return nil, err
				}
			}
			return says(fmt.Sprint(token)), nil
		},
		"test_missing_capability": func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if caps := req.ClientCapabilities(); caps != nil && caps.Sampling != nil { //nolint:staticcheck // the suite tries it
				return says("declared"), nil
			}
			return nil, &jsonrpc.Error{
				Code: mcp.CodeMissingRequiredClientCapabilities, Message: "sampling is not declared",
				Data: json.RawMessage(`{"requiredCapabilities":{"sampling":{}}}`),
			}
		},
	}
}

// object is the schema of an object of such properties, all of them required.
func object(properties map[string]any, required ...string) map[string]any {
	o := map[string]any{"type": "object", "properties": properties}
	if len(required) > 0 {
		o["required"] = required
	}
	return o
}

func typed(kind string) map[string]any { return map[string]any{"type": kind} }

// questions are the tools that ask the client something by requests of the server, which needs a session.
func questions() map[string]probe {
	elicit := func(message string, schema any) probe {
		return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			r, err := req.Session.Elicit(ctx, &mcp.ElicitParams{Message: message, RequestedSchema: schema})
			if err != nil {
				return nil, err
			}
			return says(fmt.Sprintf("Elicitation result: action=%s, content=%v", r.Action, r.Content)), nil
		}
	}
	with := func(kind string, otherwise any) map[string]any {
		return map[string]any{"type": kind, "default": otherwise}
	}
	titled := func(of string, words ...string) map[string]any {
		var list []map[string]any
		for _, w := range words {
			list = append(list, map[string]any{"const": w, "title": "The " + w})
		}
		return map[string]any{of: list}
	}
	single := titled("oneOf", "value1", "value2", "value3")
	single["type"] = "string"
	status := with("string", "active")
	status["enum"] = []string{"active", "inactive", "pending"}
	one := []string{"option1", "option2", "option3"}
	many := func(items map[string]any) map[string]any {
		return map[string]any{"type": "array", "minItems": 1, "maxItems": 3, "items": items}
	}
	return map[string]probe{
		"test_sampling": func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			var in struct{ Prompt string }
			if err := json.Unmarshal(req.Params.Arguments, &in); err != nil {
				return nil, err
			}
			r, err := req.Session.CreateMessage(ctx, asksModel(in.Prompt)) //nolint:staticcheck // the suite tries it
			if err != nil {
				return nil, err
			}
			text, _ := r.Content.(*mcp.TextContent)
			return says("LLM response: " + text.Text), nil
		},
		"test_elicitation": elicit("Who are you?", object(map[string]any{"username": typed("string")}, "username")),
		"test_elicitation_sep1034_defaults": elicit("Defaults", object(map[string]any{
			"name": with("string", "John Doe"), "age": with("integer", 30), "score": with("number", 95.5), "status": status,
			"verified": with("boolean", true),
		})),
		"test_elicitation_sep1330_enums": elicit("Enums", object(map[string]any{
			"untitledSingle": map[string]any{"type": "string", "enum": one},
			"titledSingle":   single,
			"legacyEnum": map[string]any{
				"type": "string", "enum": []string{"opt1", "opt2", "opt3"}, "enumNames": []string{"Option One", "Option Two", "Option Three"},
			},
			"untitledMulti": many(map[string]any{"type": "string", "enum": one}),
			"titledMulti":   many(titled("anyOf", "value1", "value2", "value3")),
		})),
	}
}

func asksModel(text string) *mcp.CreateMessageParams { //nolint:staticcheck // the suite tries it
	return &mcp.CreateMessageParams{ //nolint:staticcheck // the suite tries it
		Messages:  []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}}, //nolint:staticcheck // the suite tries it
		MaxTokens: 100,
	}
}

// asks is a result that is not complete without an answer of the client.
func asks(state string, requests mcp.InputRequestMap) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{InputRequests: requests, RequestState: state}, nil
}

// form asks for one value.
func form(name, kind string) *mcp.ElicitParams {
	return &mcp.ElicitParams{Message: name + "?", RequestedSchema: object(map[string]any{name: typed(kind)}, name)}
}

// filled is the value of a form that the client filled in; nil if it did not.
func filled(answers mcp.InputResponseMap, key, name string) any {
	if r, ok := answers[key].(*mcp.ElicitResult); ok && r.Action == "accept" {
		return r.Content[name]
	}
	return nil
}

// written is the text of a model of the client.
func written(answers mcp.InputResponseMap, key string) (text string, ok bool) {
	r, ok := answers[key].(*mcp.CreateMessageWithToolsResult) //nolint:staticcheck // the suite tries it
	if !ok {
		return "", false
	}
	for _, c := range r.Content {
		if c, ok := c.(*mcp.TextContent); ok {
			text += c.Text
		}
	}
	return text, true
}

// forged reports whether a state is none that the server gave: the suite adds to one.
func forged(state string) bool { return state != "" && state != "given" }

// rounds are the tools that ask the client by their results.
func rounds() map[string]probe {
	confirm := func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		p := req.Params
		switch {
		case forged(p.RequestState):
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "this state is none of ours"}
		case p.RequestState != "" && filled(p.InputResponses, "confirm", "ok") != nil:
			return says("state-ok: confirmed"), nil
		}
		return asks("given", mcp.InputRequestMap{"confirm": form("ok", "boolean")})
	}
	return map[string]probe{
		"test_input_required_result_elicitation": func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if name, ok := filled(req.Params.InputResponses, "user_name", "name").(string); ok {
				return says("Hello, " + name + "!"), nil
			}
			return asks("", mcp.InputRequestMap{"user_name": form("name", "string")})
		},
		"test_input_required_result_sampling": func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if text, ok := written(req.Params.InputResponses, "capital_question"); ok {
				return says("Sampling response: " + text), nil
			}
			return asks("", mcp.InputRequestMap{"capital_question": asksModel("What is the capital of France?")})
		},
		"test_input_required_result_list_roots": func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if r, ok := req.Params.InputResponses["client_roots"].(*mcp.ListRootsResult); ok { //nolint:staticcheck // the suite tries it
				return says(fmt.Sprintf("%d roots", len(r.Roots))), nil
			}
			return asks("", mcp.InputRequestMap{"client_roots": &mcp.ListRootsParams{}}) //nolint:staticcheck // the suite tries it
		},
		"test_input_required_result_request_state":   confirm,
		"test_input_required_result_tampered_state":  confirm,
		"test_input_required_result_multiple_inputs": asksAll,
		"test_input_required_result_multi_round":     asksTwice,
		"test_input_required_result_capabilities":    asksWhatIsThere,
	}
}

func asksAll(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	a := req.Params.InputResponses
	name, named := filled(a, "user_name", "name").(string)
	greeting, greeted := written(a, "greeting")
	if _, rooted := a["client_roots"].(*mcp.ListRootsResult); named && greeted && rooted { //nolint:staticcheck // the suite tries it
		return says(greeting + " " + name), nil
	}
	return asks("given", mcp.InputRequestMap{
		"user_name": form("name", "string"), "greeting": asksModel("Generate a greeting"),
		"client_roots": &mcp.ListRootsParams{}, //nolint:staticcheck // the suite tries it
	})
}

func asksTwice(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	p := req.Params
	name, second := strings.CutPrefix(p.RequestState, "second ")
	switch {
	case second:
		return says(fmt.Sprintf("%s likes %v", name, filled(p.InputResponses, "step2", "color"))), nil
	case p.RequestState == "first":
		return asks(fmt.Sprintf("second %v", filled(p.InputResponses, "step1", "name")), mcp.InputRequestMap{"step2": form("color", "string")})
	}
	return asks("first", mcp.InputRequestMap{"step1": form("name", "string")})
}

func asksWhatIsThere(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if len(req.Params.InputResponses) > 0 {
		return says("answered"), nil
	}
	requests, caps := mcp.InputRequestMap{}, req.ClientCapabilities()
	if caps != nil && caps.Elicitation != nil {
		requests["user_name"] = form("name", "string")
	}
	if caps != nil && caps.Sampling != nil { //nolint:staticcheck // the suite tries it
		requests["greeting"] = asksModel("Generate a greeting")
	}
	if caps != nil && caps.RootsV2 != nil { //nolint:staticcheck // the suite tries it
		requests["client_roots"] = &mcp.ListRootsParams{} //nolint:staticcheck // the suite tries it
	}
	if len(requests) == 0 {
		return says("nothing can be asked"), nil
	}
	return asks("", requests)
}

// addReadable adds what the suite reads.
func addReadable(s *mcp.Server) {
	give := func(c mcp.ResourceContents) mcp.ResourceHandler {
		return func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			got := c
			got.URI = req.Params.URI
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{&got}}, nil
		}
	}
	text := mcp.ResourceContents{MIMEType: "text/plain", Text: "This is the content of the static text resource."}
	s.AddResource(&mcp.Resource{Name: "static-text", MIMEType: "text/plain", URI: "test://static-text"}, give(text))
	s.AddResource(&mcp.Resource{Name: "watched", MIMEType: "text/plain", URI: "test://watched-resource"}, give(text))
	s.AddResource(&mcp.Resource{Name: "static-binary", MIMEType: "image/png", URI: "test://static-binary"},
		give(mcp.ResourceContents{MIMEType: "image/png", Blob: picture()}))
	s.AddResourceTemplate(&mcp.ResourceTemplate{Name: "template", MIMEType: "application/json", URITemplate: "test://template/{id}/data"},
		func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			id := strings.TrimSuffix(strings.TrimPrefix(req.Params.URI, "test://template/"), "/data")
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{
				URI: req.Params.URI, MIMEType: "application/json", Text: fmt.Sprintf(`{"id":%q,"templateTest":true,"data":"Data for ID: %s"}`, id, id),
			}}}, nil
		})
}

// addPrompts adds the prompts that the suite gets.
func addPrompts(s *mcp.Server) {
	of := func(name string, args []string, make func(a map[string]string) []mcp.Content) {
		p := &mcp.Prompt{Name: name, Description: "of the conformance suite"}
		for _, a := range args {
			p.Arguments = append(p.Arguments, &mcp.PromptArgument{Name: a, Description: a, Required: true})
		}
		s.AddPrompt(p, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			r := &mcp.GetPromptResult{}
			for _, c := range make(req.Params.Arguments) {
				r.Messages = append(r.Messages, &mcp.PromptMessage{Role: "user", Content: c})
			}
			return r, nil
		})
	}
	of("test_simple_prompt", nil, func(map[string]string) []mcp.Content {
		return []mcp.Content{&mcp.TextContent{Text: "This is a simple prompt for testing."}}
	})
	of("test_prompt_with_arguments", []string{"arg1", "arg2"}, func(a map[string]string) []mcp.Content {
		return []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", a["arg1"], a["arg2"])}}
	})
	of("test_prompt_with_embedded_resource", []string{"resourceUri"}, func(a map[string]string) []mcp.Content {
		return []mcp.Content{embedded(a["resourceUri"]), &mcp.TextContent{Text: "Please process the embedded resource above."}}
	})
	of("test_prompt_with_image", nil, func(map[string]string) []mcp.Content {
		return []mcp.Content{&mcp.ImageContent{Data: picture(), MIMEType: "image/png"}, &mcp.TextContent{Text: "Please analyze the image above."}}
	})
	s.AddPrompt(&mcp.Prompt{Name: "test_input_required_result_prompt", Description: "of the conformance suite"},
		func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			if text, ok := filled(req.Params.InputResponses, "user_context", "context").(string); ok {
				return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}}}, nil
			}
			return &mcp.GetPromptResult{InputRequests: mcp.InputRequestMap{"user_context": form("context", "string")}}, nil
		})
}
