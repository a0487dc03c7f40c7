package erase_test

import (
	"testing"

	"ken/internal/view/erase"
	"ken/internal/view/viewtest"
)

// TestShapes holds every JSON shape to its names, its order and what it leaves out.
func TestShapes(t *testing.T) {
	t.Parallel()
	viewtest.Shapes(
		t,
		erase.EraseReport{}, erase.Sealed{}, erase.ErasedMemory{}, erase.ErasedTurn{}, erase.Similar{}, erase.GivenTo{}, erase.Shared{},
		erase.Proof{}, erase.LeftOver{},
		erase.Masked{}, erase.Occurrence{}, erase.MaskProof{}, erase.Deleted{},
	)
}
