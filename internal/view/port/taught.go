package port

import (
	"encoding/json"

	"ken/internal/memory"
	"ken/internal/teach"
)

// A Taught is what a typed line wants of the memory, as programs get it.
type Taught struct {
	ID      json.RawMessage `json:"id,omitempty"`
	Act     string          `json:"act,omitempty"` // keep, propose, correct, forget, hint or none
	Kind    memory.Kind     `json:"kind,omitempty"`
	Scope   string          `json:"scope,omitempty"`   // here, user, repo:NAME or dir:PATH; "" if the line does not say
	Key     string          `json:"key,omitempty"`     // of what to forget
	Content string          `json:"content,omitempty"` // what to keep or forget
	Old     string          `json:"old,omitempty"`     // what a correction says is so no more
	Lang    string          `json:"lang,omitempty"`    // of the words that were understood
	Error   string          `json:"error,omitempty"`
}

// TaughtOf is a reading as programs get it.
func TaughtOf(r teach.Reading) Taught {
	return Taught{Act: r.Act.String(), Kind: r.Kind, Scope: r.Scope, Key: r.Key, Content: r.Text, Old: r.Old, Lang: r.Tongue}
}
