package term

import (
	"fmt"
	"strings"

	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/memory"
	"ken/internal/termsafe"
)

// A Lane is whose word a run is: the person's, or, in the lane of a model or a tool, theirs.
type Lane struct {
	env   *Env
	shell func() Shell // nil outside the shell
}

// Origin is where what this run writes comes from: the person, unless KEN_ORIGIN
// says that ken runs in the lane of a model or a tool, or a variable that it runs in the
// shell of another assistant: the less trusted of the two. Whoever could set them could
// also write the files; they are there so that honest tools are what they are. A
// value that is no origin counts as the least trusted one.
func (l *Lane) Origin() memory.Origin {
	around, by := engine.Around(l.env.Getenv)
	if by == "" {
		return l.stated()
	}
	return l.stated().Lowest(around)
}

// stated is what KEN_ORIGIN says.
func (l *Lane) stated() memory.Origin {
	name := strings.TrimSpace(l.env.Getenv("KEN_ORIGIN"))
	switch o := memory.Origin(termsafe.Line(name)); {
	case name == "" || o == memory.OriginUser:
		return ""
	case o.Rank() <= memory.OriginExternal.Rank():
		return o
	}
	return memory.OriginExternal
}

// Actor is who writes by way of this run.
func (l *Lane) Actor() engine.Actor {
	if l.shell() != nil {
		return engine.ActorOf(l.Origin(), "shell")
	}
	return engine.ActorOf(l.Origin(), "cli")
}

// In reports whether ken runs in the lane of a model or a tool (KEN_ORIGIN): what
// it reads there is not the person's word, also where there is a terminal, since
// such a lane has one.
func (l *Lane) In() bool { return l.Origin().Rank() > 0 }

// OnlyPerson refuses, in such a lane, what is not even proposed there. look are commands
// that read there what it is about, if there is one.
func (l *Lane) OnlyPerson(what string, look ...fault.Command) error {
	if !l.In() {
		return nil
	}
	refused := fault.New(fault.Refused, fmt.Errorf("only a person %s, not %s", what, l.Origin()))
	own := "at a terminal of your own it is allowed"
	if _, by := engine.Around(l.env.Getenv); by != "" && l.stated().Rank() == 0 {
		own += " (" + by + " is set: this is an assistant's shell)"
	}
	if len(look) > 0 {
		return refused.WithHint("%s; here it can be read: %s", own, look[0])
	}
	return refused.WithHint("%s", own)
}
