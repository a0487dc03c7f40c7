package llm

import (
	"encoding/json"
	"strconv"
	"strings"
)

// A fault is what a server says went wrong, in one of the shapes in which
// servers say it.
type fault struct {
	message, code, param string
	status               int // the code, if it looks like an HTTP status
}

// faultIn finds the fault in a body or an event. There is none in an object
// that has no field for it, or only an empty one.
//
//	{"error":{"message":"m","type":"t","code":500}}   most
//	[{"error":{...}}]                                 Gemini's compatible face
//	{"error":"m"}                                     Ollama, proxies
//	{"object":"error","message":"m","code":400}       older vLLM
//	{"detail":"m"} {"detail":[{"msg":"m"}]}           FastAPI
//	{"message":"m"} {"errors":[...]}                  gateways; only if the status says so
func faultIn(raw []byte, status int) (fault, bool) {
	for w := elements(raw); ; {
		v, ok := w.element()
		if !ok {
			break
		}
		if f, ok := faultIn(v, status); ok {
			return f, true
		}
	}
	var f, outer fault
	var object string
	found := false
	for w := members(raw); ; {
		name, v, ok := w.member()
		if !ok {
			break
		}
		switch string(name) {
		case "error":
			if !nothing(v) {
				f.read(v)
				found = true
			}
		case "detail", "errors":
			if status != 0 && !nothing(v) {
				outer.message = said(v)
			}
		case "object":
			object, _ = text(v)
		default:
			outer.field(string(name), v)
		}
	}
	if found {
		return f, true
	}
	return outer, object == "error" || status != 0 && outer.message != ""
}

// read takes the value of an error field.
func (f *fault) read(raw []byte) {
	if !isObject(raw) {
		f.message = said(raw)
		return
	}
	for w := members(raw); ; {
		name, v, ok := w.member()
		if !ok {
			break
		}
		f.field(string(name), v)
	}
	if f.message == "" {
		f.message = string(raw)
	}
}

func (f *fault) field(name string, v []byte) {
	switch name {
	case "message", "msg":
		if !nothing(v) {
			f.message = said(v) + f.message // behind a failed generation, if that came first
		}
	case "code":
		if s := word(v); s != "" {
			f.code = s
		}
	case "type", "status":
		if s := word(v); s != "" && f.code == "" {
			f.code = s
		}
	case "param":
		f.param, _ = text(v)
	case "failed_generation": // Groq: the text that was to be a tool call
		if s, _ := text(v); s != "" {
			f.message += ": " + line(s, 200)
		}
	}
	if n, err := strconv.Atoi(f.code); err == nil && n >= 400 && n < 600 {
		f.status = n
	}
}

// said finds the words in a value: the string itself, the first message in an
// object or list, or else the JSON.
func said(raw []byte) string {
	if s, ok := text(raw); ok {
		return s
	}
	for w := elements(raw); ; {
		v, ok := w.element()
		if !ok {
			break
		}
		return said(v)
	}
	for w := members(raw); ; {
		name, v, ok := w.member()
		if !ok {
			return string(raw)
		}
		switch string(name) {
		case "message", "msg", "error", "detail":
			where := ""
			if string(name) == "msg" {
				where = location(raw)
			}
			return where + said(v)
		}
	}
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

// error makes an Error of f. Without a status of its own it is the server's.
func (f fault) error(op string, status int) *Error {
	e := &Error{Kind: Server, Op: op, Status: status, Code: f.code, Message: f.message}
	switch {
	case status >= 400:
		e.Kind = kindOf(status)
	case f.status != 0:
		e.Kind = kindOf(f.status)
	case strings.Contains(f.code, "auth"), strings.Contains(f.code, "api_key"):
		e.Kind = Auth
	case strings.Contains(f.code, "rate_limit"), strings.Contains(f.code, "quota"):
		e.Kind = RateLimit
	case strings.Contains(f.code, "invalid_request"), strings.Contains(f.code, "tool_use_failed"):
		e.Kind = BadRequest
	}
	return e
}
