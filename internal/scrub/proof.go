package scrub

import (
	"context"
	"strings"

	"ken/internal/fault"
	"ken/internal/text"
	"ken/internal/view"
)

// Says returns what the plan does, for a program.
func (p *Plan) Says() view.EraseReport {
	return view.EraseReport{
		Erased: p.Memories, Lines: p.Lines, Turns: p.Turns, Proposals: p.Proposals, Similar: p.Similar,
		Shared: p.Shared, CitedBy: p.CitedBy, Given: p.Given, Untouched: p.Untouched, Known: p.Known(),
		Sessions: p.Sessions, Unsearched: p.Unsearched,
	}.Filled()
}

// Err says that text of the plan is left, and what to do about it; nil if every file was
// read and nothing was found.
func (p *Plan) Err(proof Proof) error {
	if proof.Clean() {
		return nil
	}
	var left []string
	if proof.Hits > 0 {
		left = append(left, text.Count(proof.Hits, "hit"))
	}
	if n := len(proof.Unread); n > 0 {
		left = append(left, text.Count(n, "file")+" not read")
	}
	err := fault.Failuref("not everything is gone: %s", strings.Join(left, ", "))
	for _, s := range p.Similar {
		if s.Says {
			return err.WithHint("it is part of another memory: %s", fault.Command("forget --for-good "+s.Ref))
		}
	}
	if len(proof.Left) > 0 {
		return err.WithHint("those files are yours: take it out there by hand")
	}
	return err.WithHint("mend what keeps them from being read, and erase it again")
}

// Anywhere reports an error (fault.NotFound) if a plan finds nothing to do and its texts
// are in no file either.
func (e *Eraser) Anywhere(ctx context.Context, p *Plan) error {
	if !p.Nothing() {
		return nil
	}
	proof, err := e.Verify(ctx, p)
	if err != nil || proof.Hits > 0 {
		return err
	}
	if p.Untouched > 0 {
		return fault.NotFoundf("nothing is just that text; %s have it among other words; nothing was done", text.Count(p.Untouched, "turn")).
			WithHint("name them, as SESSION:3: %s", fault.Command("sessions search"))
	}
	return fault.NotFoundf("nothing in %s is just that text; nothing was done", text.Count(proof.Files, "file")).
		WithHint("see what there is: %s", fault.Command("memory list"))
}
