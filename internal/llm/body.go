package llm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// A shape says which optional parts a request has. It begins with what the
// preset asks for, and loses what the server refused.
type shape struct {
	temperature      bool
	maxTokens        bool
	completionTokens bool // the limit is called max_completion_tokens
	streamOptions    bool
	raw              bool // fields of messages that ken does not know
}

func (p Preset) shape() shape {
	return shape{temperature: p.Temperature != nil, maxTokens: p.MaxTokens > 0, streamOptions: true, raw: true}
}

// body writes the request. Fields stand in a fixed order, so that the same
// request is the same bytes, and a longer conversation begins like a shorter one.
func (p Preset) body(req Request, s shape) ([]byte, error) {
	b := append([]byte(`{"model":`), appendString(nil, p.Model)...)
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
			if !json.Valid(tool) || !isObject(tool) {
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
		if b, err = m.append(b, s.raw); err != nil {
			return nil, fmt.Errorf("message %d of the request: %w", i+1, err)
		}
	}
	return append(b, "]}"...), nil
}

func (m Message) append(b []byte, raw bool) ([]byte, error) {
	b = appendString(append(b, `{"role":`...), m.Role)
	b = append(b, `,"content":`...)
	if m.Content == "" && len(m.ToolCalls) > 0 {
		b = append(b, "null"...) // the only form that all servers take beside calls
	} else {
		b = appendString(b, m.Content)
	}
	if len(m.ToolCalls) > 0 {
		b = append(b, `,"tool_calls":[`...)
		for i, c := range m.ToolCalls {
			if i > 0 {
				b = append(b, ',')
			}
			args := c.Arguments
			if !json.Valid([]byte(args)) || !isObject([]byte(args)) {
				args = "{}"
			}
			var err error
			if b, err = appendCall(b, c, args); err != nil {
				return nil, err
			}
		}
		b = append(b, ']')
	}
	if m.ToolCallID != "" {
		b = appendString(append(b, `,"tool_call_id":`...), m.ToolCallID)
	}
	if raw {
		var err error
		if b, err = appendFields(b, m.Raw, "role", "content", "tool_calls", "tool_call_id", "function_call"); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

// appendCall appends a call in the form in which servers send and take it.
func appendCall(b []byte, c ToolCall, args string) ([]byte, error) {
	b = appendString(append(b, `{"id":`...), c.ID)
	b = append(b, `,"type":`...)
	if kind := c.Extra["type"]; json.Valid(kind) {
		b = append(b, kind...)
	} else {
		b = append(b, `"function"`...)
	}
	b = appendString(append(b, `,"function":{"name":`...), c.Name)
	b = appendString(append(b, `,"arguments":`...), args)
	if inner := c.Extra["function"]; json.Valid(inner) {
		fields := map[string]json.RawMessage{}
		for w := members(inner); ; {
			name, v, ok := w.member()
			if !ok {
				break
			}
			fields[string(name)] = v
		}
		var err error
		if b, err = appendFields(b, fields, "name", "arguments"); err != nil {
			return nil, err
		}
	}
	b, err := appendFields(append(b, '}'), c.Extra, "id", "type", "function", "index")
	return append(b, '}'), err
}

// appendFields appends fields to an object that has some already, in the order
// of their names, without those of the names given.
func appendFields(b []byte, fields map[string]json.RawMessage, without ...string) ([]byte, error) {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if slices.Contains(without, name) {
			continue
		}
		v := bytes.TrimSpace(fields[name])
		if !json.Valid(v) {
			return nil, fmt.Errorf("field %s is no JSON", line(name, 40))
		}
		b = append(appendString(append(b, ','), name), ':')
		b = append(b, v...)
	}
	return b, nil
}
