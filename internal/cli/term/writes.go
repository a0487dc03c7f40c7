package term

import (
	"maps"
	"strings"

	"ken/internal/engine"
)

// Keys of the annotations of a command.
const (
	nothingKey  = "writes nothing"
	ownKey      = "writes"
	memoryOfKey = "writes memory"
	personKey   = "only a person"
	whenKey     = "when" // flags, parted by commas
	lookKey     = "reads"
	sparesKey   = "spares the memory"
	settingsKey = "settings"
)

// Writes is what a command states about itself: what it writes, which decides what
// becomes of it in the lane of a model or a tool. A command that states nothing is
// refused there.
type Writes struct {
	// Nothing: nothing is written but what is derived or counted.
	Nothing bool
	// Own is what is written that is no memory and no setting: "the conversation".
	Own string
	// Memory is what is written into the memory, and in such a lane proposed instead.
	Memory string
	// Person is what only a person does, as in "only a person changes settings": in such
	// a lane it is refused.
	Person string
	// When are flags: Person holds only for calls that have all of those like --mask, and
	// none of those like "no --dry-run". Of other calls the rest holds.
	When []string
	// Look is the command that reads, also in such a lane, what Person is about.
	Look string
	// Spares says that it does its work also where the memory is only read, and then leaves the memory's files alone. A
	// command that writes and does not say so is refused there; Own "the conversation" says so.
	Spares bool
	// Settings says that it writes settings: it is not refused where a setting has the memory only be read.
	Settings bool
}

// Note is w as annotations of a command, with those of others beside it.
func (w Writes) Note(others ...map[string]string) map[string]string {
	all := make(map[string]string)
	for _, other := range others {
		maps.Copy(all, other)
	}
	if w.Nothing {
		all[nothingKey] = "yes"
	}
	if w.Spares {
		all[sparesKey] = "yes"
	}
	if w.Settings {
		all[settingsKey] = "yes"
	}
	for _, n := range [...][2]string{
		{ownKey, w.Own}, {memoryOfKey, w.Memory}, {personKey, w.Person}, {whenKey, strings.Join(w.When, ",")}, {lookKey, w.Look},
	} {
		if n[1] != "" {
			all[n[0]] = n[1]
		}
	}
	return all
}

// WritesOf reads what Note wrote; stated is false if annotations say nothing.
func WritesOf(annotations map[string]string) (w Writes, stated bool) {
	w = Writes{
		Nothing: annotations[nothingKey] != "", Own: annotations[ownKey],
		Memory: annotations[memoryOfKey], Person: annotations[personKey], Look: annotations[lookKey],
		Spares: annotations[sparesKey] != "", Settings: annotations[settingsKey] != "",
	}
	if when := annotations[whenKey]; when != "" {
		w.When = strings.Split(when, ",")
	}
	return w, w.Nothing || w.Own != "" || w.Memory != "" || w.Person != ""
}

// Conversation is what a command writes that only adds to the conversation that is held.
const Conversation = "the conversation"

// InOnlyRead reports whether a call may be carried out where the memory is only read, by a setting or else by a flag. given is as
// in ByPerson.
func (w Writes) InOnlyRead(bySetting bool, given func(flag string) bool) bool {
	switch {
	case w.Spares, w.Settings && bySetting:
		return true
	case w.Memory != "", w.ByPerson(given) != "":
		return false
	}
	return w.Own == "" || w.Own == Conversation
}

// OnlyRead is the error of what writes where the memory is only read.
func OnlyRead() error { return engine.OnlyRead() }

// ByPerson is what only a person does with a call, or "". given says of a flag, without
// its dashes, whether it is on.
func (w Writes) ByPerson(given func(flag string) bool) string {
	for _, flag := range w.When {
		name, off := strings.CutPrefix(flag, "no ")
		if given(strings.TrimPrefix(name, "--")) == off {
			return ""
		}
	}
	return w.Person
}
