package why

import "encoding/json"

// An Answer is one to a question, with where its memories come from. Of what gave no
// answer there is Error, and Answer holds as much as came.
type Answer struct {
	Answer     string          `json:"answer"`
	Model      string          `json:"model"`             // the preset; "": none answered, and memory did
	Session    string          `json:"session,omitempty"` // in which it is turn N
	N          int             `json:"n,omitempty"`
	Finish     string          `json:"finish,omitempty"` // why it ended, as its server said
	Usage      json.RawMessage `json:"usage,omitempty"`  // as its server counted
	Why        []string        `json:"why"`              // references of the memories it had; never null
	Shaped     string          `json:"shaped,omitempty"` // as in a Report
	Error      string          `json:"error,omitempty"`
	Provenance []Envelope      `json:"provenance"` // never null
	Context    *Standing       `json:"context,omitempty"`
	Attached   []File          `json:"attached,omitempty"` // that went along with the question
}

// NoAnswer is that there was none, or what memory says in its place.
func NoAnswer(said string, cause error) Answer {
	v := Answer{Answer: said, Why: []string{}, Provenance: []Envelope{}}
	if cause != nil {
		v.Error = cause.Error()
	}
	return v
}
