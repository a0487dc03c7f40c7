package history_test

import (
	"testing"

	"ken/internal/view/history"
	"ken/internal/view/viewtest"
)

// TestShapes holds every JSON shape to its names, its order and what it leaves out.
func TestShapes(t *testing.T) {
	t.Parallel()
	viewtest.Shapes(t, history.PastChange{}, history.FieldChange{}, history.ChangedMemory{})
}
