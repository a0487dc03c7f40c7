package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// What the model has run, and what a result must hold.
const (
	line   = "cat notes.md"
	inFile = "the kettle is green"
	answer = "The notes say what colour it is."
	callID = "call0rnd1"
)

// A script is a model that calls a tool once and then answers. It speaks the chat completions and the responses of OpenAI.
// What it says depends on the request alone.
type script struct {
	url    string
	server http.Server

	mu   sync.Mutex
	seen []seen
}

// A seen is one request, and its answer.
type seen struct {
	arrived, ended time.Time
	body           []byte
	called         string // the tool that it was answered with a call of
	result         string // it has the result of one
	tools          bool
}

func listen() (*script, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &script{url: "http://" + l.Addr().String() + "/v1"}
	s.server.Handler = http.HandlerFunc(s.serve)
	go func() { _ = s.server.Serve(l) }() // until it is closed
	return s, nil
}

// take returns what was asked since the last time.
func (s *script) take() []seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.seen
	s.seen = nil
	return list
}

// A request is what both protocols have.
type request struct {
	Stream   bool
	Messages []struct {
		Role    string
		Content any
	}
	Input any
	Tools []definition
}

type definition struct {
	Type, Name string
	Parameters struct{ Properties map[string]struct{ Type any } }
	Function   struct {
		Name       string
		Parameters struct{ Properties map[string]struct{ Type any } }
	}
}

func (s *script) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	one := seen{arrived: time.Now(), body: body}
	if err != nil || r.Method != http.MethodPost {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"object":"list","data":[{"id":"scripted","object":"model","created":1,"context_length":100000}]}`)
		return
	}
	var req request
	if err := json.Unmarshal(body, &req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	one.tools = len(req.Tools) > 0
	one.result = result(req)
	call, args := "", ""
	if one.result == "" {
		call, args = shell(req.Tools)
	}
	one.called = call
	if strings.HasSuffix(r.URL.Path, "/responses") {
		responses(w, call, args)
	} else {
		chat(w, req.Stream, call, args)
	}
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
	one.ended = time.Now()
	s.mu.Lock()
	s.seen = append(s.seen, one)
	s.mu.Unlock()
}

// result is that of a call, "" if there is none.
func result(req request) string {
	for _, m := range req.Messages {
		if m.Role == "tool" {
			b, _ := json.Marshal(m.Content) // it was JSON
			return string(b)
		}
	}
	list, _ := req.Input.([]any)
	for _, e := range list {
		m, _ := e.(map[string]any)
		if kind, _ := m["type"].(string); strings.HasSuffix(kind, "call_output") {
			b, _ := json.Marshal(m["output"])
			return string(b)
		}
	}
	return ""
}

// shell is the tool that runs a command, and what it is called with.
func shell(list []definition) (name, args string) {
	for _, want := range []string{"exec_command", "shell_command", "shell", "bash", "run_shell_command"} {
		for _, d := range list {
			params := d.Parameters.Properties
			if d.Name == "" {
				d.Name, params = d.Function.Name, d.Function.Parameters.Properties
			}
			if d.Name != want {
				continue
			}
			given := map[string]any{}
			for name, p := range params {
				switch {
				case (name == "command" || name == "cmd") && p.Type == "array":
					given[name] = []string{"bash", "-c", line}
				case name == "command" || name == "cmd":
					given[name] = line
				case name == "description":
					given[name] = "look at the notes"
				case name == "is_background":
					given[name] = false
				}
			}
			b, _ := json.Marshal(given) // texts alone
			return want, string(b)
		}
	}
	return "", ""
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func event(w io.Writer, name, data string) {
	if name != "" {
		_, _ = fmt.Fprintf(w, "event: %s\n", name)
	}
	_, _ = fmt.Fprintf(w, "data: %s\n\n", data) // who hung up is measured as such
}

// chat answers with a chat completion.
func chat(w http.ResponseWriter, stream bool, call, args string) {
	message, finish := `{"role":"assistant","content":`+quote(answer)+`}`, "stop"
	if call != "" {
		finish = "tool_calls"
		message = fmt.Sprintf(`{"role":"assistant","content":"","tool_calls":[{"index":0,"id":%q,"type":"function",`+
			`"function":{"name":%q,"arguments":%s}}]}`, callID, call, quote(args))
	}
	const base = `{"id":"c1","created":1,"model":"scripted",`
	const usage = `"usage":{"prompt_tokens":1000,"completion_tokens":5,"total_tokens":1005}}`
	if !stream {
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `%s"object":"chat.completion","choices":[{"index":0,"message":%s,"finish_reason":%q}],%s`,
			base, message, finish, usage)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	const piece = base + `"object":"chat.completion.chunk","choices":[`
	event(w, "", piece+`{"index":0,"delta":`+message+`,"finish_reason":null}]}`)
	event(w, "", piece+`{"index":0,"delta":{},"finish_reason":`+quote(finish)+`}]}`)
	event(w, "", piece+`],`+usage)
	event(w, "", "[DONE]")
}

// responses answers with a response.
func responses(w http.ResponseWriter, call, args string) {
	item := `{"type":"message","id":"m1","role":"assistant","status":"completed","content":[{"type":"output_text","text":` + quote(answer) +
		`,"annotations":[]}]}`
	if call != "" {
		item = fmt.Sprintf(`{"type":"function_call","id":"f1","call_id":%q,"name":%q,"arguments":%s,"status":"completed"}`,
			callID, call, quote(args))
	}
	const head = `{"id":"r1","object":"response","created_at":1,"model":"scripted",`
	w.Header().Set("Content-Type", "text/event-stream")
	event(w, "response.created", `{"type":"response.created","response":`+head+`"status":"in_progress","output":[],"usage":null}}`)
	event(w, "response.output_item.added", `{"type":"response.output_item.added","output_index":0,"item":`+item+`}`)
	event(w, "response.output_item.done", `{"type":"response.output_item.done","output_index":0,"item":`+item+`}`)
	event(w, "response.completed", `{"type":"response.completed","response":`+head+`"status":"completed","output":[`+item+
		`],"usage":{"input_tokens":1000,"input_tokens_details":{"cached_tokens":0},"output_tokens":5,`+
		`"output_tokens_details":{"reasoning_tokens":0},"total_tokens":1005}}}`)
}
