package engine

import (
	"cmp"
	"fmt"
	"strings"

	"ken/internal/assistant"
	"ken/internal/memory"
)

// An ActorKind says by whose authority something is asked for.
type ActorKind string

// The kinds of actors. One that is none of these may only read.
const (
	Person   ActorKind = "person"   // types it, or said yes to it
	Policy   ActorKind = "policy"   // a policy that the person wrote, acting by itself
	Model    ActorKind = "model"    // a model of this conversation
	Agent    ActorKind = "agent"    // another assistant, by name
	Tool     ActorKind = "tool"     // a program that speaks for nobody
	Import   ActorKind = "import"   // a file of another program
	External ActorKind = "external" // a page, a mail, anything from elsewhere
)

// An Actor is whoever asks for a write. The zero Actor may only read.
type Actor struct {
	Kind ActorKind
	Name string // of the agent or policy; "" if it has none
	Face string // the channel by which it came: "cli", "shell", "mcp", ...; for people to read
}

// ActorOf returns the actor who speaks in texts of an origin. The empty origin is the person.
func ActorOf(o memory.Origin, face string) Actor {
	a := Actor{Face: face, Kind: External}
	switch name, isAgent := agentName(o); {
	case o.Rank() == 0:
		a.Kind = Person
	case isAgent:
		a.Kind, a.Name = Agent, name
	case o == memory.OriginModel:
		a.Kind = Model
	case o == memory.OriginTool:
		a.Kind = Tool
	case o == memory.OriginImport:
		a.Kind = Import
	}
	return a
}

// Around returns the origin of the assistant from whose shell this program was started, and the
// variable that says so. Both are "" if there is none. It is for callers that would count as the
// person: it only lowers authority.
func Around(getenv func(string) string) (o memory.Origin, by string) {
	name, by := assistant.Around(getenv)
	if by == "" {
		return "", ""
	}
	return Actor{Kind: Agent, Name: name}.Origin(), by
}

// agentName returns the name in the origin of an agent.
func agentName(o memory.Origin) (name string, ok bool) {
	if o == memory.OriginAgent {
		return "", true
	}
	return strings.CutPrefix(string(o), string(memory.OriginAgent)+":")
}

// Origin returns the origin of the texts of an actor. It is empty for a person. An actor of an
// unknown kind has the least trusted origin.
func (a Actor) Origin() memory.Origin {
	switch a.Kind {
	case Person, Policy:
		return ""
	case Model:
		return memory.OriginModel
	case Agent:
		if a.Name == "" {
			return memory.OriginAgent
		}
		return memory.OriginAgent + ":" + memory.Origin(a.Name)
	case Tool:
		return memory.OriginTool
	case Import:
		return memory.OriginImport
	}
	return memory.OriginExternal
}

// An authority is what becomes of a request of an actor.
type authority int

const (
	refusing  authority = iota // nothing
	proposing                  // it waits for the person
	writing                    // it is done
)

// An act is a class of writes, as they are refused: "only a person ...".
type act string

const (
	states   act = "states a memory"
	changes  act = "changes a memory"
	together act = "forgets by filter"
	undoes   act = "takes lines back"
	decides  act = "decides what waits"
	erases   act = "erases"
	masks    act = "masks what is stored"
	proposes act = "proposes"
	accepts  act = "lets in by a policy"
	plans    act = "carries out a policy"
	relaxes  act = "relaxes a rule"
)

// may is the only place that turns an actor into write, propose or refuse. It refuses what it does
// not name.
func (a Actor) may(what act) authority {
	switch a.Kind {
	case Person:
		if what != accepts {
			return writing
		}
	case Policy:
		switch what {
		case proposes, accepts, plans:
			return writing
		}
	case Model, Agent, Tool, Import, External:
		switch what {
		case states, changes:
			return proposing
		case proposes:
			return writing
		}
	}
	return refusing
}

// A RefusedError says that an actor may not do what it asked for: nothing was written.
type RefusedError struct {
	Actor Actor
	What  string // what only a person does, as "takes lines back"
}

func (e *RefusedError) Error() string {
	who := cmp.Or(string(e.Actor.Origin()), string(e.Actor.Kind), "nobody")
	if e.Actor.Kind == "" {
		who = "nobody"
	}
	return fmt.Sprintf("only a person %s, not %s", e.What, who)
}

// Hint returns the next step.
func (*RefusedError) Hint() string { return "at a terminal of your own it is allowed" }
