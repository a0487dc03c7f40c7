package rules_test

import (
	"testing"

	"ken/internal/view/rules"
	"ken/internal/view/viewtest"
)

// TestShapes holds every JSON shape to its names, its order and what it leaves out.
func TestShapes(t *testing.T) {
	t.Parallel()
	viewtest.Shapes(t, rules.Listing{}, rules.Rule{}, rules.Difference{}, rules.Change{}, rules.Impact{}, rules.Met{},
		rules.Version{}, rules.Proposal{}, rules.Proposals{},
	)
}
