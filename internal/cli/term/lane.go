package term

import (
	"fmt"

	"ken/internal/fault"
)

// InLane reports whether ken runs in the lane of a model or a tool (KEN_ORIGIN): what
// it is told there is not the person's word, also where there is a terminal, since
// such a lane has one.
func (a *Run) InLane() bool { return a.Origin().Rank() > 0 }

// OnlyPerson refuses, in such a lane, what is not even proposed there. look are commands
// that read there what it is about, if there is one.
func (a *Run) OnlyPerson(what string, look ...fault.Command) error {
	if !a.InLane() {
		return nil
	}
	refused := fault.New(fault.Refused, fmt.Errorf("only a person %s: not in the lane of %s", what, a.Origin()))
	if len(look) > 0 {
		return refused.WithHint("at a terminal of your own it is allowed; here it can be read: %s", look[0])
	}
	return refused.WithHint("at a terminal of your own it is allowed")
}
