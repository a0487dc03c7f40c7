package port

import "ken/internal/view"

// What a server gives and takes over HTTP, beside the calls of ports and the shapes that all faces have.

// A Problem is every answer that is no success.
type Problem struct {
	Error Fault `json:"error"`
}

// A Fault says what went wrong.
type Fault struct {
	Code    string `json:"code"`    // for programs: "unauthorized", "not_found", ...
	Message string `json:"message"` // for people
	Hint    string `json:"hint"`    // the next step
	// Type and Param are there below /v1, as programs that speak with a model read errors.
	Type  string  `json:"type,omitempty"`
	Param *string `json:"param,omitempty"`
}

// A Health says that the server answers, and how the memory is.
type Health struct {
	Status  string  `json:"status"` // "ok"
	Version string  `json:"version"`
	Client  string  `json:"client"` // who asks, as the server knows them
	Memory  Holding `json:"memory"`
}

// A Found is what was recalled, best first.
type Found struct {
	Hits []view.Hit `json:"hits"`
}

// A Page is a part of a list of memories.
type Page struct {
	Items []view.Item `json:"items"`
	Next  int         `json:"next"` // where the rest begins; 0: there is none
}

// A Statement is what a client states over HTTP: something to be remembered.
type Statement struct {
	Text string   `json:"text"`
	Kind string   `json:"kind,omitempty"` // fact if not given
	Tags []string `json:"tags,omitempty"`
	Key  string   `json:"key,omitempty"`
	Why  string   `json:"why,omitempty"` // for the person who decides, in a line
}

// A Rewording is what a memory is to say instead.
type Rewording struct {
	Text string `json:"text"` // the whole
	Why  string `json:"why,omitempty"`
}

// A Reason is why something is suggested.
type Reason struct {
	Why string `json:"why,omitempty"`
}

// Models are those that the endpoint answers for, as programs that speak with models read it.
type Models struct {
	Object string  `json:"object"` // "list"
	Data   []Model `json:"data"`
}

// A Model is one name that may be asked for.
type Model struct {
	ID      string `json:"id"`
	Object  string `json:"object"`  // "model"
	Created int    `json:"created"` // 0: nobody says
	OwnedBy string `json:"owned_by"`
}

// A Grounds says what a model was given of the memory for a question.
type Grounds struct {
	Ref      string     `json:"ref"`
	Model    string     `json:"model"`
	TS       string     `json:"ts"`
	Memories []Grounded `json:"memories"` // best first
}

// An Explained is the field "ken" of an answer in which a client asked for it.
type Explained struct {
	Memory   string `json:"memory"` // as the header Ken-Memory
	*Grounds        // nil: the model was given nothing
}

// A Grounded is a memory that a question called for, or that goes with every one.
type Grounded struct {
	Ref     string     `json:"ref"`
	Always  string     `json:"always,omitempty"` // "pinned" or "rule": it goes with every question, and has no score
	Score   float64    `json:"score"`
	Parts   view.Parts `json:"parts"`             // what the score is made of
	Content string     `json:"content,omitempty"` // what it says now; "": it is not known any more
	Kind    string     `json:"kind,omitempty"`
	Scope   string     `json:"scope,omitempty"`
}
