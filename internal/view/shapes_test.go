package view_test

import (
	"testing"

	"ken/internal/view"
	"ken/internal/view/viewtest"
)

// TestShapes holds every JSON shape to its names, its order and what it leaves out.
func TestShapes(t *testing.T) {
	t.Parallel()
	viewtest.Shapes(
		t,
		view.Outcome{}, view.Hit{}, view.Item{},
		view.Session{}, view.Turn{}, view.Transcript{}, view.Ran{}, view.Export{}, view.Provenance{},
		view.Finding{}, view.Report{}, view.Sign{}, view.Places{}, view.SettingRow{}, view.SetResult{},
		view.RepoLog{}, view.Imported{}, view.ImportGap{}, view.ImportFound{}, view.ImportUndone{}, view.ScanFinding{}, view.Met{}, view.Basis{}, view.Working{}, view.Account{},
		view.EraseReport{}, view.Sealed{}, view.ErasedMemory{}, view.ErasedTurn{}, view.Similar{}, view.GivenTo{}, view.Shared{},
		view.Proof{}, view.LeftOver{}, view.Masked{}, view.Occurrence{}, view.MaskProof{}, view.Deleted{},
		view.ToolServer{}, view.ServerTool{}, view.ServerResource{}, view.ServerPrompt{}, view.PromptArgument{}, view.Prompt{},
		view.ListedModel{}, view.UsedTokens{}, view.Spending{}, view.PastChange{}, view.FieldChange{}, view.ChangedMemory{},
		view.ExpectedReport{}, view.ExpectedResult{}, view.ExpectedMiss{},
	)
}
