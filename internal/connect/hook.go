package connect

import (
	"encoding/json"
	"io"
	"path/filepath"
)

// mostEvent is how much of what an assistant says to a hook is read, in bytes.
const mostEvent = 1 << 20

// Happens is what an assistant runs its hook for.
type Happens int

// What a hook is run for.
const (
	Another Happens = iota // nothing that concerns ken
	Starts                 // a conversation begins, or its beginning was cut away
	Asks                   // the person asks something
	Leave                  // leave to call recall is asked for
)

// An Event is what an assistant says to its hook.
type Event struct {
	Is   Happens
	Dir  string // the absolute path of where it works; "" if it does not say
	Text string // what is asked, with what the assistant put around it

	name string // of the event, as the assistant calls it
}

// ReadEvent reads what an assistant says to its hook: one value, and not up to the end, which may not come. word is what
// stands behind the assistant's name on the command line: "prompt" where a question is asked, for those that do not say so.
// What is no event is the start of a conversation, where the block does no harm; leave is of recall and no other tool.
func ReadEvent(r io.Reader, word string) Event {
	var said struct {
		Cwd    string `json:"cwd"`
		Name   string `json:"hook_event_name"` // not said by all
		Source string `json:"source"`
		Tool   string `json:"tool_name"`
		Prompt string `json:"prompt"`
	}
	if json.NewDecoder(io.LimitReader(r, mostEvent)).Decode(&said) != nil {
		if word != "" {
			return Event{}
		}
		return Event{Is: Starts}
	}
	e := Event{name: said.Name}
	if filepath.IsAbs(said.Cwd) {
		e.Dir = said.Cwd
	}
	switch {
	case said.Name == "UserPromptSubmit", said.Name == "BeforeAgent", said.Name == "" && word == promptWord:
		e.Is, e.Text = Asks, said.Prompt
	case word != "":
	case (said.Name == "" || said.Name == "SessionStart") && said.Source != "resume":
		e.Is = Starts
	case said.Name == "PreToolUse" && said.Tool == claudeRecall:
		e.Is = Leave
	}
	return e
}

// Allow is what a hook says for recall to be called without asking: a line of JSON.
func Allow() []byte {
	return []byte(text(object{{"hookSpecificOutput", object{{"hookEventName", "PreToolUse"}, {"permissionDecision", "allow"}}}}) + "\n")
}

// Form is a text as the assistant takes it from its hook for an event: a line of JSON.
func (a Agent) Form(e Event, said string) []byte {
	name := e.name
	if name == "" {
		name = "SessionStart"
	}
	form := object{{"hookSpecificOutput", object{{"hookEventName", name}, {"additionalContext", said}}}}
	if a.Name == "copilot" {
		form = object{{"additionalContext", said}}
	}
	return []byte(text(form) + "\n")
}
