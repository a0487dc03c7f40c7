package owner

import (
	"context"

	"ken/internal/fault"
	"ken/internal/memory"
	"ken/internal/scrub"
)

// An Erasing is what erasing a memory would take. It is done at the terminal.
type Erasing struct {
	Ref     string
	Sum     string   // what goes, in a few words
	Plan    []string // what goes and what stays, a line each
	Similar []string // what resembles it, and would be asked about
	Command string   // that does it, at the terminal; there is no undo
}

// PlanErase says what erasing a memory that stands would take. It changes nothing. Errors: there is none that stands, or it
// binds commands; what the files say.
func (o *Owner) PlanErase(ctx context.Context, ref string) (x Erasing, err error) {
	if err := o.may(ctx, ref, "", ""); err != nil {
		return x, err
	}
	h := o.view()
	id, err := memory.ParseID(ref)
	if err != nil {
		return x, fault.Usagef("%q names no memory", ref)
	}
	e, err := h.Memory.Eraser()
	if err != nil {
		return x, err
	}
	plan, err := e.Plan(ctx, scrub.Want{IDs: []memory.ID{id}})
	if err != nil {
		return x, err
	}
	verb := func(command string) string { return fault.Command(command).String() }
	r := plan.Says()
	x = Erasing{Ref: id.String(), Sum: r.Sum(), Plan: r.Plan(verb), Command: verb("forget --for-good " + id.String())}
	for _, s := range r.Similar {
		x.Similar = append(x.Similar, s.Line())
	}
	return x, nil
}
