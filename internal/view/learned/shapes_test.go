package learned_test

import (
	"testing"

	"ken/internal/view/learned"
	"ken/internal/view/viewtest"
)

// TestShapes holds every JSON shape to its names, its order and what it leaves out.
func TestShapes(t *testing.T) {
	t.Parallel()
	viewtest.Shapes(t,
		learned.Waiting{}, learned.Weighed{}, learned.WaitingList{}, learned.Suggested{}, learned.Synthesis{},
		learned.Cluster{}, learned.Pattern{}, learned.PatternImpact{}, learned.Refused{},
		learned.Look{}, learned.Use{}, learned.Outcome{}, learned.Correction{}, learned.Draft{}, learned.Finding{},
		learned.Listing{}, learned.Rule{}, learned.Difference{}, learned.Change{}, learned.Impact{}, learned.Met{},
		learned.Version{}, learned.Proposal{}, learned.Proposals{},
		learned.Skill{}, learned.Evolution{}, learned.Signal{}, learned.Made{},
	)
}
