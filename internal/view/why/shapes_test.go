package why_test

import (
	"testing"

	"ken/internal/view/viewtest"
	"ken/internal/view/why"
)

// TestShapes holds every JSON shape to its names, its order and what it leaves out.
func TestShapes(t *testing.T) {
	t.Parallel()
	viewtest.Shapes(t, why.Envelope{}, why.Context{}, why.Ground{}, why.Passed{}, why.Report{}, why.Standing{}, why.Verdict{},
		why.Answer{}, why.File{}, why.Doc{}, why.Without{})
}
