package agents

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"

	"ken/internal/llm/llmtest"
)

// callID is the id of the one call that the model makes.
const callID = "call_ken_1"

type object = map[string]any

// A scripted model calls one tool once, and then says DONE with what came back. It speaks the interfaces of four makers, and
// what it answers depends on the request alone: titles that are asked for on the side and second tries do no harm.
type scripted struct {
	tool string // as ken calls it; assistants put their own words in front
	args object
}

// A heard is what a request says.
type heard struct {
	tool, space string // the tool as the assistant calls it, and the group that it is in; "": it is not offered
	result      string // of the call, as JSON
	back        bool   // there is a result
}

// hear reads a request of any of the four interfaces.
func (s scripted) hear(body []byte) (h heard) {
	var request object
	if json.Unmarshal(body, &request) != nil {
		return h
	}
	is := regexp.MustCompile(`(^|[._:/-])` + regexp.QuoteMeta(s.tool) + `$`)
	each(request["tools"], func(o, around object) {
		name, _ := o["name"].(string)
		if h.tool != "" || !is.MatchString(name) {
			return
		}
		h.tool = name
		if _, grouped := around["tools"]; grouped {
			h.space, _ = around["name"].(string)
		}
	})
	for _, key := range []string{"messages", "input", "contents"} {
		each(request[key], func(o, _ object) {
			if given, ok := resultIn(o, is); ok {
				h.result, h.back = text(given), true
			}
		})
	}
	return h
}

// each calls f with every object in v and the object that it is in.
func each(v any, f func(o, around object)) {
	var walk func(v any, around object)
	walk = func(v any, around object) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				walk(e, around)
			}
		case object:
			f(v, around)
			for _, e := range v {
				walk(e, v)
			}
		}
	}
	walk(v, nil)
}

// resultIn is what an object gives as the result of the call.
func resultIn(o object, tool *regexp.Regexp) (given any, ok bool) {
	named := func(key string) bool {
		id, _ := o[key].(string)
		return strings.HasPrefix(id, callID)
	}
	kind, _ := o["type"].(string)
	name, _ := o["name"].(string)
	switch {
	case named("tool_use_id"), named("tool_call_id"):
		return o["content"], true
	case named("call_id") && strings.HasSuffix(kind, "call_output"):
		return o["output"], true
	case o["response"] != nil && tool.MatchString(name):
		return o["response"], true
	}
	return nil, false
}

func text(v any) string {
	b, _ := json.Marshal(v) // it was read from JSON
	return string(b)
}

// answer is what the model says to a request.
func (s scripted) answer(r llmtest.Request) llmtest.Script {
	h := s.hear(r.Body)
	var request object
	_ = json.Unmarshal(r.Body, &request) // what is no JSON asks for nothing
	a := answer{scripted: s, heard: h, call: h.tool != "" && !h.back, model: request["model"]}
	streams := request["stream"] == true
	switch {
	case strings.HasSuffix(strings.ToLower(r.Path), "counttokens"), strings.HasSuffix(r.Path, "count_tokens"):
		return llmtest.JSON(`{"input_tokens":10,"totalTokens":10}`)
	case strings.HasSuffix(r.Path, "/messages"):
		return a.messages(streams)
	case strings.HasSuffix(r.Path, "/responses"):
		return a.responses(streams)
	case strings.HasSuffix(r.Path, "/chat/completions"):
		return a.chat(streams)
	case strings.HasSuffix(strings.ToLower(r.Path), "generatecontent"):
		return a.contents(strings.Contains(r.Path, ":stream"))
	}
	return llmtest.Error(http.StatusNotFound, "not in the script")
}

// An answer is what is said to one request.
type answer struct {
	scripted
	heard

	call  bool // it calls the tool
	model any
}

func (a answer) says() string {
	if a.back {
		return "DONE " + a.result
	}
	return "DONE"
}

// events is a stream; each event has its type as its name where named says so.
func events(named bool, all ...object) llmtest.Script {
	var chunks []string
	for _, e := range all {
		head := ""
		if kind, ok := e["type"].(string); ok && named {
			head = "event: " + kind + "\n"
		}
		chunks = append(chunks, head+"data: "+text(e)+"\n\n")
	}
	return llmtest.Raw(chunks...)
}

// messages answers as Anthropic does.
func (a answer) messages(streams bool) llmtest.Script {
	block, begun, reason := object{"type": "text", "text": a.says()}, object{"type": "text", "text": ""}, "end_turn"
	delta := object{"type": "text_delta", "text": a.says()}
	if a.call {
		block = object{"type": "tool_use", "id": callID, "name": a.heard.tool, "input": a.args}
		begun, reason = object{"type": "tool_use", "id": callID, "name": a.heard.tool, "input": object{}}, "tool_use"
		delta = object{"type": "input_json_delta", "partial_json": text(a.args)}
	}
	usage := object{"input_tokens": 10, "output_tokens": 5}
	message := func(content []any, reason any) object {
		return object{
			"id": "msg_1", "type": "message", "role": "assistant", "model": a.model, "content": content, "usage": usage,
			"stop_reason": reason, "stop_sequence": nil,
		}
	}
	if !streams {
		return llmtest.JSON(text(message([]any{block}, reason)))
	}
	return events(
		true,
		object{"type": "message_start", "message": message([]any{}, nil)},
		object{"type": "content_block_start", "index": 0, "content_block": begun},
		object{"type": "content_block_delta", "index": 0, "delta": delta},
		object{"type": "content_block_stop", "index": 0},
		object{"type": "message_delta", "delta": object{"stop_reason": reason, "stop_sequence": nil}, "usage": usage},
		object{"type": "message_stop"},
	)
}

// responses answers as the newer interface of OpenAI does.
func (a answer) responses(streams bool) llmtest.Script {
	item := object{
		"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
		"content": []any{object{"type": "output_text", "text": a.says(), "annotations": []any{}}},
	}
	if a.call {
		item = object{
			"type": "function_call", "id": "fc_1", "call_id": callID, "name": a.heard.tool, "arguments": text(a.args), "status": "completed",
		}
		if a.space != "" {
			item["namespace"] = a.space
		}
	}
	usage := object{
		"input_tokens": 10, "input_tokens_details": object{"cached_tokens": 0}, "output_tokens": 5,
		"output_tokens_details": object{"reasoning_tokens": 0}, "total_tokens": 15,
	}
	response := func(status string, output []any, usage any) object {
		return object{"id": "resp_1", "object": "response", "created_at": 1, "model": a.model, "status": status, "output": output, "usage": usage}
	}
	whole := response("completed", []any{item}, usage)
	if !streams {
		return llmtest.JSON(text(whole))
	}
	begun := response("in_progress", []any{}, nil)
	return events(
		true,
		object{"type": "response.created", "response": begun},
		object{"type": "response.output_item.done", "output_index": 0, "item": item},
		object{"type": "response.completed", "response": whole},
	)
}

// chat answers as most do.
func (a answer) chat(streams bool) llmtest.Script {
	message, reason := object{"role": "assistant", "content": a.says()}, "stop"
	if a.call {
		call := object{"index": 0, "id": callID, "type": "function", "function": object{"name": a.heard.tool, "arguments": text(a.args)}}
		message, reason = object{"role": "assistant", "content": nil, "tool_calls": []any{call}}, "tool_calls"
	}
	usage := object{"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
	part := func(kind string, choices ...any) object {
		return object{"id": "chatcmpl-1", "created": 1, "model": a.model, "object": kind, "choices": choices}
	}
	if !streams {
		whole := part("chat.completion", object{"index": 0, "message": message, "finish_reason": reason})
		whole["usage"] = usage
		return llmtest.JSON(text(whole))
	}
	const chunk = "chat.completion.chunk"
	last := part(chunk, []any{}...)
	last["choices"], last["usage"] = []any{}, usage
	s := events(
		false,
		part(chunk, object{"index": 0, "delta": message, "finish_reason": nil}),
		part(chunk, object{"index": 0, "delta": object{}, "finish_reason": reason}),
		last,
	)
	s.Steps = append(s.Steps, llmtest.Step{Write: llmtest.Done})
	return s
}

// contents answers as Gemini does.
func (a answer) contents(streams bool) llmtest.Script {
	part := object{"text": a.says()}
	if a.call {
		part = object{"functionCall": object{"name": a.heard.tool, "args": a.args}}
	}
	whole := object{
		"candidates":    []any{object{"index": 0, "content": object{"role": "model", "parts": []any{part}}, "finishReason": "STOP"}},
		"usageMetadata": object{"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}, "modelVersion": "scripted",
	}
	if !streams {
		return llmtest.JSON(text(whole))
	}
	return events(false, whole)
}
