package scrub

import (
	"context"
	"fmt"
	"strings"

	"ken/internal/fault"
)

// Err says that text of a plan is left, and what to do about it; nil if every file was
// read and nothing was found.
func (p Proof) Err(of *Plan) error {
	if p.Clean() {
		return nil
	}
	var left []string
	if p.Hits > 0 {
		left = append(left, several(p.Hits, "hit"))
	}
	if n := len(p.Unread); n > 0 {
		left = append(left, several(n, "file")+" not read")
	}
	err := fault.Failuref("not everything is gone: %s", strings.Join(left, ", "))
	for _, s := range of.Similar {
		if s.Says {
			return err.WithHint("it is part of another memory: %s", fault.Command("erase "+s.Ref))
		}
	}
	if len(p.Left) > 0 {
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
	return fault.NotFoundf("the text is in none of %s; nothing was done", several(proof.Files, "file")).
		WithHint("see what there is: %s", fault.Command("memory list"))
}

// several is "1 file", "2 files".
func several(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
