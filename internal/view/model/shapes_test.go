package model_test

import (
	"testing"

	"ken/internal/view/model"
	"ken/internal/view/viewtest"
)

// TestShapes holds every JSON shape to its names, its order and what it leaves out.
func TestShapes(t *testing.T) {
	t.Parallel()
	viewtest.Shapes(t, model.ListedModel{}, model.UsedTokens{}, model.Spending{})
}
