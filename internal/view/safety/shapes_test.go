package safety_test

import (
	"testing"

	"ken/internal/view/safety"
	"ken/internal/view/viewtest"
)

// TestShapes holds every JSON shape to its names, its order and what it leaves out.
func TestShapes(t *testing.T) {
	t.Parallel()
	viewtest.Shapes(
		t,
		safety.Verdict{}, safety.Reason{}, safety.PlacedReason{}, safety.Exec{}, safety.ModelRun{},
		safety.Listing{}, safety.Approval{}, safety.Rule{}, safety.Kept{}, safety.Decision{}, safety.Revoked{},
		safety.Rehearsal{}, safety.Change{},
	)
}
