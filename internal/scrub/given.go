package scrub

import (
	"ken/internal/memory"
	"ken/internal/trace"
)

// receivers finds who was given the items of a plan. Their files are theirs: nothing is done about them but to say so.
func (e *Eraser) receivers(p *Plan) (err error) {
	p.Given, err = trace.GivenTo(e.Sessions, func(ref string) bool {
		id, err := memory.ParseID(ref)
		return err == nil && p.ids[id]
	})
	return err
}
