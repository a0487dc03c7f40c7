package ageing_test

import (
	"testing"

	"ken/internal/view/ageing"
	"ken/internal/view/viewtest"
)

// TestShapes holds every JSON shape to its names, its order and what it leaves out.
func TestShapes(t *testing.T) {
	t.Parallel()
	viewtest.Shapes(
		t,
		ageing.Action{}, ageing.Report{}, ageing.Diagnosis{}, ageing.Policy{}, ageing.Begun{}, ageing.Checked{}, ageing.Stats{}, ageing.Page{}, ageing.Embedded{},
	)
}
