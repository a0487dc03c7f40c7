package llm

import (
	"encoding/json"
	"slices"
	"time"

	"ken/internal/llm/delta"
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

	// Keys are what hints call the settings of a preset that stands in no file,
	// by the key that each would have there ("base_url"). Others are called
	// models.NAME.base_url.
	Keys map[string]string
}

// A Request is what is asked of a model.
type Request struct {
	Messages []Message
	Tools    []json.RawMessage // definitions, sent as they are
	// Guide is what the first message says of the tools: where the server takes none it is left out of it.
	Guide string
}

// Roles that a request is put together by.
const (
	roleSystem = "system"
	roleUser   = "user"
	roleTool   = "tool"
)

func (r Request) hasImages() bool {
	return slices.ContainsFunc(r.Messages, func(m Message) bool { return len(m.Images) > 0 })
}

// A Message is one turn of a conversation as models know it.
type Message struct {
	Role       string // system, user, assistant or tool
	Content    string
	ToolCalls  []ToolCall
	ToolCallID string // of a tool message: the call that it answers

	// Preset is the name of the one that made ToolCalls: it gets their ids back as they are.
	Preset string

	// Images stand behind Content, for a model that takes them. A message with none is sent as
	// it always was: its content is a string.
	Images []Image

	// Raw holds every other field of an assembled assistant message, by name, as
	// delta.Whole has it, and is sent back as it was received: some servers refuse
	// a conversation that lost its reasoning_content.
	Raw map[string]json.RawMessage
}

// An Image is a picture in a message.
type Image struct {
	Type   string // "image/png", "image/jpeg", ...
	Data   []byte // of the whole file
	Tokens int    // that it is likely to take; not sent
}

// A ToolCall is one call that a model asks for.
type ToolCall = delta.ToolCall

// MarshalToolCalls gives calls as one JSON array for a record, nil for none.
func MarshalToolCalls(calls []ToolCall) json.RawMessage { return delta.MarshalToolCalls(calls) }

// ParseToolCalls reads what MarshalToolCalls wrote. Nothing gives no calls.
func ParseToolCalls(raw json.RawMessage) ([]ToolCall, error) { return delta.ParseToolCalls(raw) }

// A Delta is what one event adds to what is shown.
type Delta = delta.Delta

// Usage counts tokens as the server reported them.
type Usage = delta.Usage

// An Answer is what a model said.
type Answer struct {
	Message   Message // role assistant
	Reasoning string  // for reading; what must be sent back is in Message.Raw
	Finish    string  // stop, length, tool_calls, content_filter, ... as sent; "" if none was
	Truncated bool    // the stream ended without a finish reason and without its end mark
	Usage     *Usage  // nil if the server reported none
	Model     string  // as the server named it
	Preset    string  // name of the preset that answered
	Warnings  []string
	Events    int   // events read
	Bytes     int64 // bytes of the body read
}
