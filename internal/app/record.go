package app

import (
	"fmt"

	"ken/internal/fault"
)

// Record keeps a question that a program passed on, and its answer, as turns of a session, and returns where: an Exchange that goes
// on with it has that for its Path. What cannot be kept is a warning, and costs nobody anything.
func (v *View) Record(e Exchange) (path string) {
	who := nameOf(v.o.Actor)
	e.Channel, e.Client = v.o.Actor.Face, who
	_, err := v.Settings.Read()
	if err == nil {
		path, err = v.Conversations.Exchange(e)
	}
	if err != nil {
		v.Warn(fault.Detail(fault.Once(fmt.Errorf("what %s asked is not kept: %w", who, err))))
	}
	return path
}
