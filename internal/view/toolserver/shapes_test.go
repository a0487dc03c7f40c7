package toolserver_test

import (
	"testing"

	"ken/internal/view/toolserver"
	"ken/internal/view/viewtest"
)

// TestShapes holds every JSON shape to its names, its order and what it leaves out.
func TestShapes(t *testing.T) {
	t.Parallel()
	viewtest.Shapes(t, toolserver.ToolServer{}, toolserver.ServerTool{}, toolserver.ServerResource{}, toolserver.ServerPrompt{}, toolserver.PromptArgument{})
}
