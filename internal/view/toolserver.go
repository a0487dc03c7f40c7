package view

import "encoding/json"

// A ToolServer is the JSON shape of a tool server, as it is now.
type ToolServer struct {
	Name     string `json:"name"`
	Where    string `json:"where"`              // its command or address, masked
	Is       string `json:"is"`                 // "off", "starting", "ready" or "failed"
	Why      string `json:"why,omitempty"`      // it failed
	Protocol string `json:"protocol,omitempty"` // the version that is spoken with it
	Tools    int    `json:"tools"`
	Waiting  int    `json:"waiting"` // tools that are offered after a person has looked at them
	Noise    int    `json:"noise"`   // lines of its output that were no messages
	// Unawaited is until when no question waits for it, since it did not answer, in RFC 3339; "" where they do.
	Unawaited string `json:"unawaited,omitempty"`
}

// A ServerTool is the JSON shape of a tool of a server.
type ServerTool struct {
	Name        string          `json:"name"` // server.tool
	Wire        string          `json:"wire"` // its name for models
	Server      string          `json:"server"`
	Description string          `json:"description"`
	Waits       string          `json:"waits,omitempty"`      // "new" or "changed": it is not offered before a person has looked
	Parameters  json.RawMessage `json:"parameters,omitempty"` // the server's own schema, where one tool is shown
	Difference  []string        `json:"difference,omitempty"` // of one that waits: "- " stands before what was, "+ " before what is
}

// A ServerResource is the JSON shape of what a server has to read.
type ServerResource struct {
	Name   string `json:"name"` // server:uri, as it is named behind "@"
	Server string `json:"server"`
	URI    string `json:"uri"`
	About  string `json:"about,omitempty"`
	Open   bool   `json:"open,omitempty"` // parts of it in braces are to be filled in
}

// A ServerPrompt is the JSON shape of a question that a server has ready.
type ServerPrompt struct {
	Name      string           `json:"name"` // server.prompt
	Server    string           `json:"server"`
	About     string           `json:"about,omitempty"`
	Arguments []PromptArgument `json:"arguments,omitempty"`
}

// A PromptArgument is what a prompt wants to know.
type PromptArgument struct {
	Name     string `json:"name"`
	Required bool   `json:"required"`
}
