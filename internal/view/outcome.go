package view

// An Outcome is what a write did to one memory, and how to take it back. It is also its
// JSON shape, of every face.
type Outcome struct {
	Did  string `json:"did"`               // "remembered", "forgot", "proposed", ...; "duplicate": nothing
	Ref  string `json:"ref"`               // the memory or the line that it was done to; pN of a proposal
	Line string `json:"line,omitempty"`    // the line that it wrote; "" where none was
	Text string `json:"content,omitempty"` // of the memory, where it is shown
	Undo string `json:"undo,omitempty"`    // the command that takes it back
	// Duplicate is the memory that said the same already.
	Duplicate string   `json:"duplicate_of,omitempty"`
	Near      []string `json:"near,omitempty"` // memories that say nearly the same, or that are in Contradicts
	// Contradicts are memories that hardly hold beside it: the person decides whether it takes their place.
	Contradicts []string `json:"contradicts,omitempty"`
	Binds       string   `json:"binds,omitempty"` // of a rule: what is checked before commands run, or "prompt only"

	Note  string `json:"-"` // what stands behind the reference in the form for people
	Wider string `json:"-"` // how it is made to hold everywhere, where it does not
	// Along are the memories that it had replaced, which were forgotten along with it.
	Along []string `json:"along,omitempty"`
	// Conversation says that Ref names one, and Turn that it names a turn of one, and no memory.
	Conversation bool `json:"-"`
	Turn         bool `json:"-"`
}

// Name returns what it was done to, for people.
func (o Outcome) Name() string {
	switch {
	case o.Conversation:
		return "conversation " + o.Ref
	case o.Turn:
		return "turn " + o.Ref
	}
	return "#" + o.Ref
}
