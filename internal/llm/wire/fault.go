package wire

import (
	"encoding/json"
	"strconv"
	"strings"
)

// A Fault is what a server says went wrong.
type Fault struct {
	Message string // its words
	Code    string // its code, else its type
	Param   string // the field of the request that it names
	Status  int    // the code, if it looks like an HTTP status of a refusal, else 0
	// Window and Sent are the numbers of tokens that llama.cpp states of the model and of a request that is too
	// long for it; "": not stated.
	Window, Sent string
}

// FaultIn finds the fault in a valid body or event, in one of the shapes in which
// servers say it. There is none in an object that has no field for it, or only
// an empty one. refused: the HTTP status was an error too, so that every message
// is about it.
//
//	{"error":{"message":"m","type":"t","code":500}}   most
//	[{"error":{...}}]                                 Gemini's compatible face
//	{"error":"m"}                                     Ollama, proxies
//	{"object":"error","message":"m","code":400}       older vLLM
//	{"detail":"m"} {"detail":[{"msg":"m"}]}           FastAPI; only if refused
//	{"message":"m"} {"errors":[...]}                  gateways; only if refused
func FaultIn(raw []byte, refused bool) (Fault, bool) {
	for v := range Elements(raw) {
		if f, ok := FaultIn(v, refused); ok {
			return f, true
		}
	}
	var outer Fault
	var object string
	for name, v := range Members(raw) {
		switch string(name) {
		case "error":
			if !Nothing(v) {
				return FaultOf(v), true
			}
		case "detail", "errors":
			if refused && !Nothing(v) {
				outer.Message = said(v)
			}
		case "object":
			object, _ = Text(v)
		default:
			outer.field(string(name), v)
		}
	}
	return outer, object == "error" || refused && outer.Message != ""
}

// FaultOf reads the value of an error field.
func FaultOf(raw []byte) Fault {
	var f Fault
	if !IsObject(raw) {
		f.Message = said(raw)
		return f
	}
	for name, v := range Members(raw) {
		f.field(string(name), v)
	}
	if f.Message == "" {
		f.Message = string(raw)
	}
	return f
}

func (f *Fault) field(name string, v []byte) {
	switch name {
	case "message", "msg":
		if !Nothing(v) {
			f.Message = said(v) + f.Message // behind a failed generation, if that came first
		}
	case "code":
		if s := Word(v); s != "" {
			f.Code = s
		}
	case "type", "status":
		if s := Word(v); s != "" && f.Code == "" {
			f.Code = s
		}
	case "n_ctx":
		f.Window = Word(v)
	case "n_prompt_tokens":
		f.Sent = Word(v)
	case "param":
		f.Param, _ = Text(v)
	case "failed_generation": // Groq: the text that was to be a tool call
		if s, _ := Text(v); s != "" {
			f.Message += ": " + Line(s, 200)
		}
	}
	if n, err := strconv.Atoi(f.Code); err == nil && n >= 400 && n < 600 {
		f.Status = n
	}
}

// said finds the words in a value: the string itself, the first message in an
// object or list, or else the JSON.
func said(raw []byte) string {
	if s, ok := Text(raw); ok {
		return s
	}
	for v := range Elements(raw) {
		return said(v)
	}
	for name, v := range Members(raw) {
		switch string(name) {
		case "msg":
			return location(raw) + said(v)
		case "message", "error", "detail":
			return said(v)
		}
	}
	return string(raw)
}

// location is the place that FastAPI gives beside a message: "body.temperature: ".
func location(raw []byte) string {
	var at struct {
		Loc []any `json:"loc"`
	}
	if json.Unmarshal(raw, &at) != nil {
		return ""
	}
	var parts []string
	for _, p := range at.Loc {
		if s, ok := p.(string); ok {
			parts = append(parts, s)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, ".") + ": "
}
