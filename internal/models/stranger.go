package models

import (
	"slices"

	"ken/internal/fault"
)

// A Cargo is what goes over a chain beside the instructions that ken is built with.
type Cargo int

// What goes over a chain. Whoever builds a request says which it is.
const (
	// Everything is whatever may be sent at all: conversations and memory.
	Everything Cargo = iota
	// QuestionAlone is what the person says now. A Conversation leaves out the rest where
	// Options.Stranger says so.
	QuestionAlone
)

// A StrangerError says that a model gets no more than what it is asked.
type StrangerError struct {
	Model, Host string
	keep        fault.Text
}

func (e *StrangerError) Error() string {
	return e.Model + " at " + e.Host + " was found, and not named by you: it gets your questions, and no conversation"
}

// Hint returns how it is named.
func (e *StrangerError) Hint() string { return e.Next().String() }

// Next is Hint for a face that writes the commands of ken in its own way.
func (e *StrangerError) Next() fault.Text { return fault.Textf("name it: %s", e.keep) }

// Unconfirmed returns the model in force, or one that the newest question may go to, if it
// was found and the person has neither named it nor agreed to it: nothing of memory and
// of earlier conversations goes there, and no key.
func (m *Set) Unconfirmed() (Preset, bool) {
	p, err := m.Preset("")
	list := slices.Clone(m.going)
	if err == nil {
		list = append([]Preset{p}, list...)
	}
	for _, p := range list {
		if m.stranger(p) {
			return p, true
		}
	}
	return p, false
}

// stranger reports whether a preset stands for whoever listens somewhere. This is where
// that is decided, for keys, for conversations and for memory.
func (m *Set) stranger(p Preset) bool {
	return p.From != FromConfig && p.From != FromEnvironment && (m.Agreed == nil || !m.Agreed(p.Host(), p.Model.Model))
}

// mayGet is the error of a cargo that is not for a preset; nil if it is.
func (m *Set) mayGet(p Preset, what Cargo) error {
	if what == QuestionAlone || !m.stranger(p) {
		return nil
	}
	return &StrangerError{p.Model.Model, p.Host(), m.keep(p)}
}

// keep is the command that names a model that was found.
func (m *Set) keep(p Preset) fault.Text {
	if m.Getenv("OPENAI_BASE_URL") != "" {
		return fault.Textf("export KEN_MODEL=%s", quoteWord(p.Model.Model))
	}
	return fault.Textf("%s", fault.Command("config set models.local.base_url="+p.BaseURL+" models.local.model="+quoteWord(p.Model.Model)))
}
