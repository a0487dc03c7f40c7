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
