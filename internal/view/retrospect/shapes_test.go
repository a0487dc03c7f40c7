package retrospect_test

import (
	"testing"

	"ken/internal/view/retrospect"
	"ken/internal/view/viewtest"
)

// TestShapes holds every JSON shape to its names, its order and what it leaves out.
func TestShapes(t *testing.T) {
	t.Parallel()
	viewtest.Shapes(t, retrospect.Look{}, retrospect.Use{}, retrospect.Outcome{}, retrospect.Correction{}, retrospect.Draft{},
		retrospect.Finding{})
}
