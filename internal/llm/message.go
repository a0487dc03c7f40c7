package llm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// A Preset is a named model at an endpoint.
type Preset struct {
	Name    string // as the person calls it; appears in errors and hints
	BaseURL string // with or without /v1 at the end; host and port alone get it
	Model   string // as the server calls it
	APIKey  Secret

	Temperature *float64 // 0..2; nil: not sent
	MaxTokens   int      // most tokens of an answer; 0: not sent

	// ConnectTimeout limits name resolution, dialling and TLS. FirstTokenTimeout
	// limits the silence before the first token, IdleTimeout any silence after
	// it; every byte breaks the silence, comments included. 0: no limit.
	ConnectTimeout, FirstTokenTimeout, IdleTimeout time.Duration
}

// A Request is what is asked of a model.
type Request struct {
	Messages []Message
	Tools    []json.RawMessage // definitions, sent as they are
}

// A Message is one turn of a conversation as models know it.
type Message struct {
	Role       string // system, user, assistant or tool
	Content    string
	ToolCalls  []ToolCall
	ToolCallID string // of a tool message: the call that it answers

	// Raw holds every other field of an assembled assistant message, by name,
	// and is sent back as it was received: some servers refuse a conversation
	// that lost its reasoning_content. Strings that came in pieces are joined;
	// arrays are joined, and so are pieces of one element in them (same type,
	// same index); of objects, numbers and names the last one stays. Nulls, and
	// empty strings other than reasoning, are left out.
	Raw map[string]json.RawMessage
}

// A ToolCall is one call that a model asks for.
type ToolCall struct {
	ID        string // never empty in an Answer: made up if the server sent none
	Name      string
	Arguments string // JSON text, an object; "{}" if there were none

	// Extra holds fields that are not known, by name; they are sent back. Those
	// inside the function object are under "function".
	Extra map[string]json.RawMessage

	// Problem says why the call cannot be run: no name, or arguments that are
	// no JSON object. Tell it to the model. Such arguments are kept here as they
	// came, and are sent back as {}, since servers refuse broken JSON in a
	// conversation.
	Problem string
}

// MarshalJSON gives the form in which servers send calls, arguments unchanged.
func (c ToolCall) MarshalJSON() ([]byte, error) { return appendCall(nil, c, c.Arguments) }

// UnmarshalJSON reads what MarshalJSON writes.
func (c *ToolCall) UnmarshalJSON(data []byte) error {
	if !json.Valid(data) || !isObject(data) {
		return fmt.Errorf("tool call is no JSON object: %s", line(string(data), 80))
	}
	var calls toolCalls
	calls.add(data)
	*c = ToolCall{}
	if len(calls.list) > 0 {
		*c = calls.list[0].finish()
	}
	return nil
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
		whole, err := appendCall(out, c, c.Arguments)
		if err != nil { // an Extra field that is no JSON: the rest is kept
			c.Extra = nil
			whole, _ = appendCall(out, c, c.Arguments)
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
	var calls []ToolCall
	if err := json.Unmarshal(raw, &calls); err != nil {
		return nil, fmt.Errorf("read tool calls: %w", err)
	}
	return calls, nil
}

// A Delta is what one event adds to what is shown.
type Delta struct {
	Text      string
	Reasoning string // comes before Text
	// Rethought: all text of the deltas before this one, or since the last
	// thought ended, was reasoning. It happens when a thought's closing tag
	// comes without an opening one.
	Rethought bool
}

// An Answer is what a model said.
type Answer struct {
	Message   Message // role assistant
	Reasoning string  // for reading; what must be sent back is in Message.Raw
	Finish    string  // stop, length, tool_calls, content_filter, ... as sent; "" if none was
	Truncated bool    // the stream ended without a finish reason and without its end mark
	Usage     *Usage  // nil if the server told none
	Model     string  // as the server named it
	Warnings  []string
	Events    int   // events read
	Bytes     int64 // bytes of the body read
}

// Usage counts tokens as the server told them; 0 if it did not.
type Usage struct {
	Prompt     int `json:"prompt,omitempty"`     // read, cached ones included on most servers
	Completion int `json:"completion,omitempty"` // written, reasoning included
	Total      int `json:"total,omitempty"`
	Cached     int `json:"cached,omitempty"`    // of the prompt
	Reasoning  int `json:"reasoning,omitempty"` // of the completion
}

// JSON is u for a record, nil for a nil u.
func (u *Usage) JSON() json.RawMessage {
	if u == nil {
		return nil
	}
	b, err := json.Marshal(u)
	if err != nil {
		return nil
	}
	return b
}
