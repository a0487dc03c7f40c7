package term

import (
	"maps"
	"strings"
)

// Keys of the annotations of a command.
const (
	nothingKey  = "writes nothing"
	ownKey      = "writes"
	memoryOfKey = "writes memory"
	personKey   = "only a person"
	whenKey     = "when" // flags, parted by commas
	lookKey     = "reads"
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
	}
	if when := annotations[whenKey]; when != "" {
		w.When = strings.Split(when, ",")
	}
	return w, w.Nothing || w.Own != "" || w.Memory != "" || w.Person != ""
}

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
