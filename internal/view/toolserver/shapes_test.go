package toolserver_test

import (
	"testing"

	"ken/internal/view/toolserver"
	"ken/internal/view/viewtest"
)

// TestShapes holds every JSON shape to its names, its order and what it leaves out.
func TestShapes(t *testing.T) {
	t.Parallel()
	viewtest.Shapes(t, toolserver.Server{}, toolserver.Tool{}, toolserver.Resource{}, toolserver.Prompt{}, toolserver.Argument{})
}
