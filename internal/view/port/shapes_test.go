package port_test

import (
	"testing"

	"ken/internal/view/port"
	"ken/internal/view/viewtest"
)

// TestShapes holds every JSON shape to its names, its order and what it leaves out.
func TestShapes(t *testing.T) {
	t.Parallel()
	viewtest.Shapes(
		t,
		port.Call{}, port.Result{}, port.Kept{}, port.Forgotten{}, port.Export{}, port.Recalled{}, port.Plan{}, port.Preference{},
		port.TextLine{}, port.TextReply{}, port.SecretHit{}, port.CommandLine{}, port.Taught{}, port.Said{}, port.TranscriptLine{},
		port.TranscriptReply{}, port.Candidate{}, port.QueryLine{}, port.Holding{},
		port.Problem{}, port.Fault{}, port.Health{}, port.Found{}, port.Page{}, port.Statement{}, port.Rewording{}, port.Reason{},
		port.Models{}, port.Model{}, port.Grounds{}, port.Grounded{}, port.Explained{},
	)
}
