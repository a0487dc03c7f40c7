package view

import "encoding/json"

// Answer is the JSON form of one answer.
type Answer struct {
	Answer  string          `json:"answer"`
	Model   string          `json:"model"`
	Session string          `json:"session,omitempty"`
	N       int             `json:"n,omitempty"`
	Finish  string          `json:"finish,omitempty"`
	Usage   json.RawMessage `json:"usage,omitempty"`
	Why     []string        `json:"why"`
	Error   string          `json:"error,omitempty"`
}
