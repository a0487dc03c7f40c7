package llm

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"ken/internal/llm/delta"
	"ken/internal/llm/wire"
)

// A shape says which optional parts a request has. It begins with what the
// preset asks for, and loses what the server refused.
type shape struct {
	temperature      bool
	maxTokens        bool
	completionTokens bool // the limit is called max_completion_tokens
	streamOptions    bool
	raw              bool // fields of messages that ken does not know

	nullContent bool // a message that calls and says nothing has null for its text
	single      bool // a message has one call at most
	shortIDs    bool // all calls have ids of nine letters and digits
	noTools     bool // tools are left out, and calls of before are said in words
	noFlag      bool // so they are, since the server was not started for them: the next one may be
	noSystem    bool // what the system says stands in the first question
}

// A point is one thing that a refusal can teach about a server, by the name under which it is kept.
type point struct {
	name   string
	at     *bool
	learnt bool // what it is when it was learned
}

// points are those that are kept.
func (s *shape) points() []point {
	return []point{
		{"no-temperature", &s.temperature, false},
		{"no-stream-options", &s.streamOptions, false},
		{"completion-tokens", &s.completionTokens, true},
		{"no-fields", &s.raw, false},
		{"null-content", &s.nullContent, true},
		{"one-call", &s.single, true},
		{"short-ids", &s.shortIDs, true},
		{"no-tools", &s.noTools, true},
		{"no-system", &s.noSystem, true},
	}
}

// learned are the names of what was learned since the shape was first.
func (s shape) learned(first shape) (names []string) {
	was := first.points()
	for i, p := range s.points() {
		if *p.at == p.learnt && *was[i].at != p.learnt {
			names = append(names, p.name)
		}
	}
	return names
}

// knowing is the shape with what was learned in an earlier run. Names that mean nothing are passed over.
func (s shape) knowing(names []string) shape {
	for _, p := range s.points() {
		if slices.Contains(names, p.name) {
			*p.at = p.learnt
		}
	}
	return s
}

func (p Preset) shape() shape {
	return shape{temperature: p.Temperature != nil, maxTokens: p.MaxTokens > 0, streamOptions: true, raw: true}
}

// body writes the request. Fields stand in a fixed order, so that the same
// request is the same bytes, and a longer conversation begins like a shorter one.
func (p Preset) body(req Request, s shape) ([]byte, error) {
	req = s.fit(req, p.Name)
	b := append([]byte(`{"model":`), wire.AppendString(nil, p.Model)...)
	b = append(b, `,"stream":true`...)
	if s.streamOptions {
		b = append(b, `,"stream_options":{"include_usage":true}`...)
	}
	if s.temperature {
		b = append(b, `,"temperature":`...)
		b = strconv.AppendFloat(b, *p.Temperature, 'f', -1, 64)
	}
	if s.maxTokens {
		name := `,"max_tokens":`
		if s.completionTokens {
			name = `,"max_completion_tokens":`
		}
		b = strconv.AppendInt(append(b, name...), int64(p.MaxTokens), 10)
	}
	if len(req.Tools) > 0 {
		b = append(b, `,"tools":[`...)
		for i, tool := range req.Tools {
			if !json.Valid(tool) || !wire.IsObject(tool) {
				return nil, fmt.Errorf("tool %d of the request is no JSON object", i+1)
			}
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, tool...)
		}
		b = append(b, ']')
	}
	b = append(b, `,"messages":[`...)
	var err error
	for i, m := range req.Messages {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = m.append(b, s); err != nil {
			return nil, fmt.Errorf("message %d of the request: %w", i+1, err)
		}
	}
	return append(b, "]}"...), nil
}

func (m Message) append(b []byte, s shape) ([]byte, error) {
	b = wire.AppendString(append(b, `{"role":`...), m.Role)
	b = append(b, `,"content":`...)
	switch {
	case len(m.Images) > 0:
		b = m.appendParts(b)
	case s.nullContent && m.Content == "" && len(m.ToolCalls) > 0:
		b = append(b, "null"...) // which breaks some chat templates, and no field at all others
	default:
		b = wire.AppendString(b, m.Content)
	}
	if len(m.ToolCalls) > 0 {
		b = append(b, `,"tool_calls":[`...)
		for i, c := range m.ToolCalls {
			if i > 0 {
				b = append(b, ',')
			}
			var err error
			if b, err = c.AppendSent(b); err != nil {
				return nil, err
			}
		}
		b = append(b, ']')
	}
	if m.ToolCallID != "" {
		b = wire.AppendString(append(b, `,"tool_call_id":`...), m.ToolCallID)
	}
	if s.raw {
		var err error
		if b, err = delta.AppendFields(b, m.Raw, "role", "content", "tool_calls", "tool_call_id", "function_call"); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

// appendParts writes a content that has images: the text, then each of them as a data URL.
func (m Message) appendParts(b []byte) []byte {
	b = append(b, '[')
	if m.Content != "" {
		b = wire.AppendString(append(b, `{"type":"text","text":`...), m.Content)
		b = append(b, `},`...)
	}
	for i, image := range m.Images {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"type":"image_url","image_url":{"url":"data:`...)
		b = append(append(b, image.Type...), ";base64,"...)
		b = append(base64.StdEncoding.AppendEncode(b, image.Data), `"}}`...)
	}
	return append(b, ']')
}
