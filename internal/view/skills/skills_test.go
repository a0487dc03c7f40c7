package skills_test

import (
	"testing"

	"ken/internal/view/skills"
	"ken/internal/view/viewtest"
)

// TestShapes holds every JSON shape to its names, its order and what it leaves out.
func TestShapes(t *testing.T) {
	t.Parallel()
	viewtest.Shapes(t, skills.Skill{}, skills.Evolution{}, skills.Signal{}, skills.Made{})
}
