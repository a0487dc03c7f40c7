package scrub

import (
	"ken/internal/memory"
	"ken/internal/session"
	"ken/internal/trace"
)

// receivers finds who was given the items of a plan. Their files are theirs: nothing is done about them but to say so.
func (e *Eraser) receivers(p *Plan) (err error) {
	p.Given, err = GivenTo(e.Sessions, func(ref string) bool {
		id, err := memory.ParseID(ref)
		return err == nil && p.ids[id]
	})
	return err
}

// GivenTo returns the assistants that were given one of the memories that is accepts by its reference, as sessions note it.
func GivenTo(dir session.Dir, is func(ref string) bool) ([]Given, error) {
	return trace.GivenTo(dir, is)
}
