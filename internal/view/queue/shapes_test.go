package queue_test

import (
	"testing"

	"ken/internal/view/queue"
	"ken/internal/view/viewtest"
)

// TestShapes holds every JSON shape to its names, its order and what it leaves out.
func TestShapes(t *testing.T) {
	t.Parallel()
	viewtest.Shapes(t, queue.Waiting{}, queue.Weighed{}, queue.WaitingList{}, queue.Suggested{}, queue.Synthesis{},
		queue.Cluster{}, queue.Pattern{}, queue.PatternImpact{}, queue.Refused{})
}
