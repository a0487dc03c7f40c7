package delta

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"ken/internal/llm/wire"
)

// A ToolCall is one call that a model asks for.
type ToolCall struct {
	ID        string // never empty in an answer: made up if the server sent none
	Name      string
	Arguments string // JSON text, an object; "{}" if there were none

	// Extra holds fields that are not known, by name; they are sent back. Those
	// inside the function object are under "function".
	Extra map[string]json.RawMessage

	// Problem says why the call cannot be run: no name, or arguments that are
	// no JSON object. Report it to the model. Such arguments are kept here as they
	// came, and are sent back as {}, since servers refuse broken JSON in a
	// conversation.
	Problem string
}

// MarshalJSON returns the form in which servers send calls, arguments unchanged.
func (c ToolCall) MarshalJSON() ([]byte, error) { return c.AppendJSON(nil, c.Arguments) }

// UnmarshalJSON reads what MarshalJSON writes.
func (c *ToolCall) UnmarshalJSON(data []byte) error {
	if !json.Valid(data) || !wire.IsObject(data) {
		return fmt.Errorf("tool call is no JSON object: %s", wire.Line(string(data), 80))
	}
	var one calls
	one.add(data)
	*c = ToolCall{}
	if len(one.list) > 0 {
		*c = one.list[0].finish()
	}
	return nil
}

// AppendSent appends the call as it is sent back: with {} for arguments that are
// no JSON object. The error names an Extra field that is no JSON.
func (c ToolCall) AppendSent(b []byte) ([]byte, error) {
	args := c.Arguments
	if !json.Valid([]byte(args)) || !wire.IsObject([]byte(args)) {
		args = "{}"
	}
	return c.AppendJSON(b, args)
}

// AppendJSON appends the call with these arguments. Fields stand in a fixed order.
func (c ToolCall) AppendJSON(b []byte, args string) ([]byte, error) {
	b = wire.AppendString(append(b, `{"id":`...), c.ID)
	b = append(b, `,"type":`...)
	if kind := c.Extra["type"]; json.Valid(kind) {
		b = append(b, kind...)
	} else {
		b = append(b, `"function"`...)
	}
	b = wire.AppendString(append(b, `,"function":{"name":`...), c.Name)
	b = wire.AppendString(append(b, `,"arguments":`...), args)
	if inner := c.Extra["function"]; json.Valid(inner) {
		fields := map[string]json.RawMessage{}
		for name, v := range wire.Members(inner) {
			fields[string(name)] = v
		}
		var err error
		if b, err = AppendFields(b, fields, "name", "arguments"); err != nil {
			return nil, err
		}
	}
	b, err := AppendFields(append(b, '}'), c.Extra, "id", "type", "function", "index")
	return append(b, '}'), err
}

// AppendFields appends fields to an object that has some already, in the order
// of their names, without those of the names given. The error names a field that
// is no JSON.
func AppendFields(b []byte, fields map[string]json.RawMessage, without ...string) ([]byte, error) {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if slices.Contains(without, name) {
			continue
		}
		v := bytes.TrimSpace(fields[name])
		if !json.Valid(v) {
			return nil, fmt.Errorf("field %s is no JSON", wire.Line(name, 40))
		}
		b = append(wire.AppendString(append(b, ','), name), ':')
		b = append(b, v...)
	}
	return b, nil
}

// MarshalToolCalls gives calls as one JSON array, nil for none.
func MarshalToolCalls(calls []ToolCall) json.RawMessage {
	if len(calls) == 0 {
		return nil
	}
	out := []byte{'['}
	for i, c := range calls {
		if i > 0 {
			out = append(out, ',')
		}
		whole, err := c.AppendJSON(out, c.Arguments)
		if err != nil { // an Extra field that is no JSON: the rest is kept
			c.Extra = nil
			whole, _ = c.AppendJSON(out, c.Arguments)
		}
		out = whole
	}
	return append(out, ']')
}

// ParseToolCalls reads what MarshalToolCalls wrote. Nothing gives no calls.
func ParseToolCalls(raw json.RawMessage) ([]ToolCall, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, nil
	}
	var list []ToolCall
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, fmt.Errorf("read tool calls: %w", err)
	}
	return list, nil
}
