package api_test

import (
	"testing"

	"ken/internal/view/api"
	"ken/internal/view/viewtest"
)

// TestShapes holds every JSON shape to its names, its order and what it leaves out.
func TestShapes(t *testing.T) {
	t.Parallel()
	viewtest.Shapes(
		t,
		api.Problem{}, api.Fault{}, api.Health{}, api.Found{}, api.Page{}, api.Queue{}, api.Statement{}, api.Text{}, api.Reason{},
	)
}
