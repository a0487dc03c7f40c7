package endpoint

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"ken/internal/llm/wire"
)

// A span is where a value stands in a body.
type span struct{ from, to int }

// A message is one of a request, as far as it is looked at.
type message struct {
	role    string
	content span // of its value; the zero span: it has none
	end     int  // of the message
}

// A request is a body, with where things stand in it.
type request struct {
	body     []byte
	model    string
	models   []span // of each value of "model": parsers differ in which they take
	user     string // whose question it is, as the program says; "" if it does not
	hasUser  bool
	tools    bool
	stream   bool
	messages []message
}

// A wrong is what is wrong with a request, and with which of its fields; "": with all of it.
type wrong struct{ text, param string }

func (w *wrong) Error() string { return w.text }

// What can be wrong.
const (
	noJSON     = "the body is no JSON"
	noObject   = "the body is no JSON object"
	noModel    = "model: want the name of a model, one of those that /v1/models lists"
	noMessages = "messages: want a list of at least one message"
	noMessage  = "messages: want objects with a role, which is a text, and a content"
)

var errForm = errors.New("another form") //nolint:gochecknoglobals // a value to compare with

// parse finds what stands where in a body. The error is a *wrong.
func parse(body []byte) (r request, err error) {
	r.body = body
	if !json.Valid(body) {
		return r, &wrong{noJSON, ""}
	}
	err = fields(body, 0, func(name string, at span) error {
		raw := body[at.from:at.to]
		switch name {
		case "model":
			r.models = append(r.models, at)
			if r.model = ""; json.Unmarshal(raw, &r.model) != nil || r.model == "" {
				return &wrong{noModel, "model"}
			}
		case "user":
			r.hasUser = string(raw) != "null"
			if json.Unmarshal(raw, &r.user) != nil {
				r.user = "" // no name of anybody
			}
		case "tools":
			r.tools = raw[0] == '[' && len(bytes.TrimSpace(raw[1:len(raw)-1])) > 0
		case "stream":
			r.stream = string(raw) == "true"
		case "messages":
			r.messages, err = messages(body, at)
			return err
		}
		return nil
	})
	bad := (*wrong)(nil)
	switch {
	case errors.As(err, &bad):
		return r, bad
	case err != nil:
		return r, &wrong{noObject, ""}
	case len(r.models) == 0:
		return r, &wrong{noModel, "model"}
	case len(r.messages) == 0:
		return r, &wrong{noMessages, "messages"}
	}
	return r, nil
}

// messages are those of a list.
func messages(body []byte, at span) (list []message, err error) {
	if body[at.from] != '[' {
		return nil, &wrong{noMessages, "messages"}
	}
	err = elements(body, at, func(at span) error {
		m := message{end: at.to}
		err := fields(body[:at.to], at.from, func(name string, at span) error {
			switch name {
			case "role":
				m.role = ""
				return json.Unmarshal(body[at.from:at.to], &m.role)
			case "content":
				m.content = at
			}
			return nil
		})
		if err != nil {
			return &wrong{noMessage, "messages"}
		}
		list = append(list, m)
		return nil
	})
	return list, err
}

// fields calls do with each field of the object that begins at from, and where its value stands.
func fields(body []byte, from int, do func(name string, at span) error) error {
	return each(body, from, '{', do)
}

// elements calls do with where each element of a list stands.
func elements(body []byte, at span, do func(span) error) error {
	return each(body[:at.to], at.from, '[', func(_ string, at span) error { return do(at) })
}

func each(body []byte, from int, opens json.Delim, do func(string, span) error) error {
	d := json.NewDecoder(bytes.NewReader(body[from:]))
	if t, err := d.Token(); err != nil || t != opens {
		return errForm
	}
	for d.More() {
		name := ""
		if opens == '{' {
			t, err := d.Token()
			if err != nil {
				return errForm
			}
			name, _ = t.(string) // the name of a field is a string
		}
		var raw json.RawMessage
		if d.Decode(&raw) != nil {
			return errForm
		}
		end := from + int(d.InputOffset())
		if err := do(name, span{end - len(raw), end}); err != nil {
			return err
		}
	}
	return nil
}

// last is the place of the last message of the user; -1 if there is none.
func (r request) last() int {
	for i, m := range slices.Backward(r.messages) {
		if m.role == "user" {
			return i
		}
	}
	return -1
}

// text is the text of message i, its parts with a line end between them.
func (r request) text(i int) string {
	at := r.messages[i].content
	if at == (span{}) {
		return ""
	}
	var one string
	if r.body[at.from] == '"' {
		_ = json.Unmarshal(r.body[at.from:at.to], &one) // it was parsed
		return one
	}
	var texts []string
	_ = elements(r.body, at, func(part span) error { // what is no list has no text
		kind, text := "", ""
		_ = fields(r.body[:part.to], part.from, func(name string, at span) error {
			switch name {
			case "type":
				_ = json.Unmarshal(r.body[at.from:at.to], &kind)
			case "text":
				_ = json.Unmarshal(r.body[at.from:at.to], &text)
			}
			return nil
		})
		if kind == "text" && text != "" {
			texts = append(texts, text)
		}
		return nil
	})
	return strings.Join(texts, "\n")
}

// with is the body for a model, with a block at the head of the last message of the user, if that has one ("": none).
func (r request) with(model, block string) []byte {
	type edit struct {
		span
		text []byte
	}
	name := wire.AppendString(nil, model)
	edits := make([]edit, 0, len(r.models)+1)
	for _, at := range r.models {
		edits = append(edits, edit{at, name})
	}
	if i := r.last(); block != "" && i >= 0 && r.messages[i].content != (span{}) {
		at := r.messages[i].content
		put := span{at.from + 1, at.from + 1}
		switch r.body[at.from] {
		case '"':
			quoted := wire.AppendString(nil, block+"\n\n")
			edits = append(edits, edit{put, quoted[1 : len(quoted)-1]})
		case '[':
			part := wire.AppendString([]byte(`{"type":"text","text":`), block)
			part = append(part, '}')
			if len(bytes.TrimSpace(r.body[at.from+1:at.to-1])) > 0 {
				part = append(part, ',')
			}
			edits = append(edits, edit{put, part})
		}
	}
	slices.SortFunc(edits, func(a, b edit) int { return a.from - b.from })
	out, at := make([]byte, 0, len(r.body)+len(block)+64), 0
	for _, e := range edits {
		out = append(append(out, r.body[at:e.from]...), e.text...)
		at = e.to
	}
	return append(out, r.body[at:]...)
}
